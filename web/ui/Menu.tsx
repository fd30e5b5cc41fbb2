// What is in a menu: arrow keys, Home and End move, Enter chooses. The popover around it sees to Escape and focus return.
import { useEffect, useRef, type KeyboardEvent, type ReactElement, type ReactNode } from "react";
import { cx } from "./cx.ts";
import styles from "./Menu.module.css";

export interface MenuAction {
  readonly label: string;
  readonly icon?: ReactNode;
  readonly isDangerous?: boolean;
  /** For one of several: whether it is the chosen one. */
  readonly isChosen?: boolean;
  readonly onSelect: () => void;
}

interface MenuItemsProps {
  /** Divided by lines; an empty group is left out. */
  readonly groups: readonly (readonly MenuAction[])[];
  readonly close: () => void;
}

/** The contents of a `PopoverButton` with role `menu`; loaded when one first opens. */
export function MenuItems({ groups, close }: MenuItemsProps): ReactElement {
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    list.current?.querySelector<HTMLElement>("[role^=menuitem]")?.focus();
  }, []);

  return (
    <div ref={list} role="none" className={styles.menu} onKeyDown={moveFocus}>
      {groups.map((group) => (
        <div key={group[0]?.label} role="group" className={styles.group}>
          {group.map((item) => (
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
            </button>
          ))}
        </div>
      ))}
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
