// Who is writing just now. Its height is always kept, so that nothing moves when somebody starts.
import type { ReactElement } from "react";
import { t } from "../../ui/strings.ts";
import styles from "./TypingLine.module.css";

export function TypingLine({ names }: { readonly names: readonly string[] }): ReactElement {
  return <p className={styles.typing}>{sentence(names)}</p>;
}

function sentence([one, other, ...more]: readonly string[]): string {
  if (one === undefined) return "";
  if (other === undefined) return t.composer.typingOne(one);
  return more.length === 0 ? t.composer.typingTwo(one, other) : t.composer.typingMany;
}
