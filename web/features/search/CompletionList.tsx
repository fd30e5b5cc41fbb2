// What the word at the caret may become, below the field; the keyboard stays in the field.
import type { ReactElement } from "react";
import { q } from "../../ui/strings-search.ts";
import type { Completion } from "./completions.ts";
import styles from "./Search.module.css";

interface CompletionListProps {
  readonly options: readonly Completion[];
  readonly chosen: number;
  readonly onChoose: (option: Completion) => void;
}

export function completionId(at: number): string {
  return `search-completion-${at}`;
}

export function CompletionList({ options, chosen, onChoose }: CompletionListProps): ReactElement {
  return (
    <div id="search-completions" role="listbox" aria-label={q.completions} className={styles.completions}>
      {options.map((option, at) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- its keys are handled where the focus is
        <div
          key={option.insert}
          id={completionId(at)}
          role="option"
          aria-selected={at === chosen}
          tabIndex={-1}
          className={styles.completion}
          // The field keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(option)}
        >
          <bdi>{option.label}</bdi>
          {option.filter !== undefined && <span className={styles.hint}>{q.hints.filters[option.filter]}</span>}
        </div>
      ))}
    </div>
  );
}
