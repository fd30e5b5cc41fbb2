// What the word at the caret may become, floating beside its field. The keyboard stays in the field, which names the chosen
// one as its active descendant.
import type { ReactElement, ReactNode } from "react";
import { cx } from "./cx.ts";
import styles from "./OptionList.module.css";

interface OptionListProps<Option> {
  /** What the field controls. */
  readonly id: string;
  readonly label: string;
  readonly options: readonly Option[];
  /** Its place among them; none is where it is below 0. */
  readonly chosen: number;
  readonly keyOf: (option: Option) => string;
  readonly onChoose: (option: Option) => void;
  /** Where it floats. */
  readonly className: string | undefined;
  readonly children: (option: Option) => ReactNode;
}

export function optionId(list: string, at: number): string {
  return `${list}-${at}`;
}

export function OptionList<Option>(props: OptionListProps<Option>): ReactElement {
  const { id, label, options, chosen, keyOf, onChoose, className, children } = props;
  return (
    <div id={id} role="listbox" aria-label={label} className={cx(styles.list, className)}>
      {options.map((option, at) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- its keys are handled where the focus is
        <div
          key={keyOf(option)}
          id={optionId(id, at)}
          role="option"
          aria-selected={at === chosen}
          tabIndex={-1}
          className={styles.option}
          // The field keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(option)}
        >
          {children(option)}
        </div>
      ))}
    </div>
  );
}

/** What is said beside an option. */
export function OptionNote({ children }: { readonly children: ReactNode }): ReactElement {
  return <span className={styles.note}>{children}</span>;
}
