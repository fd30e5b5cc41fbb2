// The heading of a screen. Who comes from another one goes on from here: what was pressed there may be gone, and a screen
// reader says where one is.
import { useEffect, useRef, type ReactElement, type ReactNode } from "react";

/** Where the page was as this code came, and how long its history: one goes on, and back there, with a longer one. */
const begun = { path: location.pathname, length: history.length };

interface ScreenHeadingProps {
  readonly className: string | undefined;
  readonly children: ReactNode;
}

export function ScreenHeading({ className, children }: ScreenHeadingProps): ReactElement {
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    // To the screen that the page was loaded with nobody came from another.
    if (location.pathname === begun.path && history.length === begun.length) return;
    // In a dialog, and where a field took the focus or has kept it, one goes on.
    if (document.querySelector("dialog[open]") !== null || document.activeElement?.matches("input, textarea")) return;
    heading.current?.focus();
  }, []);

  return (
    <h1 ref={heading} tabIndex={-1} className={className}>
      {children}
    </h1>
  );
}
