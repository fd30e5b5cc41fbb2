// What the word at the caret may become, below the field; the keyboard stays in the field.
import type { ReactElement } from "react";
import { OptionList, OptionNote } from "../../ui/OptionList.tsx";
import { q } from "../../ui/strings-search.ts";
import type { Completion } from "./completions.ts";
import styles from "./Search.module.css";

interface CompletionListProps {
  readonly options: readonly Completion[];
  readonly chosen: number;
  readonly onChoose: (option: Completion) => void;
}

export const COMPLETION_LIST = "search-completions";

export function CompletionList({ options, chosen, onChoose }: CompletionListProps): ReactElement {
  return (
    <OptionList
      id={COMPLETION_LIST}
      label={q.completions}
      keyOf={({ insert }) => insert}
      className={styles.completions}
      {...{ options, chosen, onChoose }}
    >
      {({ label, filter }) => (
        <>
          <bdi>{label}</bdi>
          {filter !== undefined && <OptionNote>{q.hints.filters[filter]}</OptionNote>}
        </>
      )}
    </OptionList>
  );
}
