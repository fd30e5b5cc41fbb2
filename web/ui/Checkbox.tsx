// A labelled yes or no with its explanation.
import { useId, type ComponentProps, type ReactElement } from "react";
import styles from "./Checkbox.module.css";

interface CheckboxProps extends Omit<ComponentProps<"input">, "type" | "id"> {
  readonly label: string;
  readonly hint?: string;
}

export function Checkbox({ label, hint, ...rest }: CheckboxProps): ReactElement {
  const id = useId();
  return (
    <div className={styles.field}>
      <input {...rest} id={id} type="checkbox" className={styles.box} aria-describedby={`${id}-note`} />
      <label htmlFor={id}>{label}</label>
      <p id={`${id}-note`} className={styles.note}>
        {hint}
      </p>
    </div>
  );
}
