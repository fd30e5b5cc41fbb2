// A labelled line of text with its hint and its error, which is tied to the field and announced; and an area of text.
import { useId, type ComponentProps, type ReactElement, type ReactNode } from "react";
import { cx } from "./cx.ts";
import styles from "./TextField.module.css";

interface TextFieldProps extends Omit<ComponentProps<"input">, "id" | "prefix"> {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  /** Shown inside the field's frame before the text, such as `#`. */
  readonly prefix?: ReactNode;
}

export function TextField({ label, hint, error, prefix, className, ...rest }: TextFieldProps): ReactElement {
  const id = useId();
  return (
    <div className={cx(styles.field, className)}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.frame}>
        {prefix !== undefined && (
          <span className={styles.prefix} aria-hidden="true">
            {prefix}
          </span>
        )}
        <input
          {...rest}
          id={id}
          className={styles.input}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={`${id}-note`}
        />
      </div>
      <p id={`${id}-note`} className={cx(styles.note, error !== undefined && styles.error)} aria-live="polite">
        {error ?? hint}
      </p>
    </div>
  );
}

/**
 * As tall as what stands in it. The browser puts nothing into it: Firefox (153) brings back, with a tab, what stood there up
 * to 15 s before it ended, over what is kept of it.
 */
export function TextArea({ className, ...rest }: ComponentProps<"textarea">): ReactElement {
  return <textarea {...rest} autoComplete="off" dir="auto" className={cx(styles.area, className)} />;
}
