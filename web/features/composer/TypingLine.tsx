// Who is writing just now. Its height is always kept, so that nothing moves when somebody starts.
import type { ReactElement } from "react";
import { later } from "../../ui/later.tsx";
import styles from "./TypingLine.module.css";

const TypingNames = later(() => import("./TypingNames.tsx"), "TypingNames");

export function TypingLine({ names }: { readonly names: readonly string[] }): ReactElement {
  return <p className={styles.typing}>{names.length > 0 && <TypingNames names={names} />}</p>;
}
