// What is in a menu: arrow keys, Home and End move, Enter chooses. The popover around it sees to Escape and focus return.
import { useEffect, useRef, type KeyboardEvent, type ReactElement, type ReactNode } from "react";
import { cx } from "./cx.ts";
import styles from "./Menu.module.css";

export interface MenuAction {
  readonly label: string;
  readonly icon?: ReactNode;
  readonly shortcut?: string;
  readonly isDangerous?: boolean;
  /** For one of several: whether it is the chosen one. */
  readonly isChosen?: boolean;
  readonly onSelect: () => void;
}

export type MenuItem = MenuAction | "separator";

/** The contents of a `PopoverButton` with role `menu`; loaded when one first opens. */
export function MenuItems({ items, close }: { readonly items: readonly MenuItem[]; readonly close: () => void }): ReactElement {
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    list.current?.querySelector<HTMLElement>("[role^=menuitem]")?.focus();
  }, []);

  return (
    <div ref={list} role="none" className={styles.menu} onKeyDown={moveFocus}>
      {items.map((item, at) =>
        item === "separator" ? (
          <hr key={at} className={styles.separator} />
        ) : (
          <button
            key={item.label}
            type="button"
            role={item.isChosen === undefined ? "menuitem" : "menuitemradio"}
            aria-checked={item.isChosen}
            tabIndex={-1}
            className={cx(styles.item, item.isDangerous && styles.dangerous)}
            onClick={() => {
              close();
              item.onSelect();
            }}
          >
            <span className={styles.icon}>{item.icon}</span>
            <span className={styles.label}>{item.label}</span>
            {item.shortcut !== undefined && <kbd className={styles.shortcut}>{item.shortcut}</kbd>}
          </button>
        ),
      )}
    </div>
  );
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>("[role^=menuitem]")];
  const at = all.findIndex((item) => item === document.activeElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  all.at(next % all.length)?.focus();
}
