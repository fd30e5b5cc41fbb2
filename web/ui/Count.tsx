// A count in a pill, for what asks for attention. The words that explain it stand beside it for screen readers.
import type { ReactElement } from "react";
import { numberOf } from "./number.ts";
import styles from "./Count.module.css";

interface CountProps {
  readonly value: number;
  readonly look?: "mention" | "waiting" | "danger";
}

/** Above this the exact number says no more. */
const SHOWN_MAX = 99;

export function Count({ value, look = "mention" }: CountProps): ReactElement {
  return (
    <span className={styles.count} data-look={look} aria-hidden="true">
      {value > SHOWN_MAX ? `${SHOWN_MAX}+` : numberOf(value)}
    </span>
  );
}
