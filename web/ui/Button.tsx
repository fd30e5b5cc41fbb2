// Buttons: one that says what it does, and one that shows it and carries its name for those who don't see it.
import type { ComponentProps, ReactElement, ReactNode } from "react";
import { cx } from "./cx.ts";
import styles from "./Button.module.css";

interface ButtonProps extends ComponentProps<"button"> {
  readonly look?: "primary" | "plain" | "danger" | "quiet";
  /** Something is under way: the button stays in place, focused, and takes no second press. */
  readonly busy?: boolean;
}

export function Button({ look = "plain", busy = false, className, onClick, ...rest }: ButtonProps): ReactElement {
  return (
    <button
      type="button"
      {...rest}
      className={cx(styles.button, styles[look], className)}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}

interface IconButtonProps extends Omit<ComponentProps<"button">, "aria-label" | "title"> {
  readonly label: string;
  /** A keyboard shortcut to show beside the name, as in "Bold (Ctrl+B)". */
  readonly shortcut?: string;
  readonly children: ReactNode;
  readonly "data-action"?: string | undefined;
}

export function IconButton({ label, shortcut, className, ...rest }: IconButtonProps): ReactElement {
  return (
    <button
      type="button"
      {...rest}
      className={cx(styles.icon, className)}
      aria-label={label}
      title={shortcut ? `${label} (${shortcut})` : label}
    />
  );
}
