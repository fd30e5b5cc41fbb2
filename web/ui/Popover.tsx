// What floats above the page beside its button, on the platform's popover: top layer, light dismiss, Escape and focus
// return come with it. The place comes from CSS anchor positioning; browsers without it get it measured.
import { useId, useState, type ReactElement, type ReactNode } from "react";
import { flushSync } from "react-dom";
import { IconButton } from "./Button.tsx";
import { cx } from "./cx.ts";
import styles from "./Popover.module.css";

const hasAnchors = CSS.supports("position-area", "block-end");

interface PopoverButtonProps {
  /** The button's name, and the popover's. */
  readonly label: string;
  readonly icon: ReactNode;
  readonly className?: string | undefined;
  readonly role?: "menu" | "dialog" | "toolbar";
  readonly side?: "below" | "above";
  /** What a keyboard shortcut finds the button by. */
  readonly action?: string;
  /** Made when it opens. `close` gives focus back to the button before anything else happens. */
  readonly children: (close: () => void) => ReactNode;
}

export function PopoverButton(props: PopoverButtonProps): ReactElement {
  const { label, icon, className, role = "dialog", side = "below", action, children } = props;
  const id = useId();
  const [button, setButton] = useState<HTMLButtonElement | null>(null);
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const [isOpen, setOpen] = useState(false);

  return (
    <>
      <IconButton
        ref={setButton}
        label={label}
        className={className ?? ""}
        popoverTarget={id}
        aria-haspopup={role === "toolbar" ? true : role}
        aria-expanded={isOpen}
        data-action={action}
      >
        {icon}
      </IconButton>
      <div
        ref={setBox}
        id={id}
        popover="auto"
        role={role}
        aria-label={label}
        className={cx(styles.popover, styles[side])}
        // Its contents come before it shows, to be measured and focused, and go after it has given the focus back.
        onBeforeToggle={(event) => {
          if (event.newState === "open") flushSync(() => setOpen(true));
        }}
        onToggle={(event) => {
          if (event.newState !== "open") return setOpen(false);
          if (!hasAnchors) placeBeside(button, event.currentTarget, side);
          if (role !== "dialog") event.currentTarget.querySelector("button")?.focus();
        }}
      >
        {isOpen && children(() => box?.hidePopover())}
      </div>
    </>
  );
}

function placeBeside(button: HTMLElement | null, box: HTMLElement, side: "below" | "above"): void {
  const at = button?.getBoundingClientRect();
  if (at === undefined) return;
  const { width, height } = box.getBoundingClientRect();
  const fitsBelow = at.bottom + height < innerHeight;
  const isBelow = side === "below" ? fitsBelow || at.top < height : at.top < height && fitsBelow;
  box.style.inset = "auto";
  box.style.left = `${Math.max(0, Math.min(at.left, innerWidth - width))}px`;
  box.style.top = `${isBelow ? at.bottom : at.top - height}px`;
}
