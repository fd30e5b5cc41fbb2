// What is searched, what can't be understood, and that there is nothing: each in a line.
import type { ReactElement } from "react";
import type { QueryFault } from "../../sync/search/parse-query.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { q } from "../../ui/strings-search.ts";
import { shortDayOf } from "../../ui/time.ts";
import type { SearchSnapshot } from "./session.ts";
import styles from "./Search.module.css";

interface ExtentProps {
  readonly snapshot: SearchSnapshot;
  readonly onRetry: () => void;
}

export function Extent({ snapshot, onRetry }: ExtentProps): ReactElement {
  const { state, todo, answered } = snapshot;
  if (state === "unavailable") {
    return (
      <p role="alert" className={styles.extent}>
        {q.unavailable} <Button onClick={onRetry}>{q.tryAgain}</Button>
      </p>
    );
  }
  return <p className={styles.extent}>{answered === null ? q.opening : sentences(answered, state, todo).join(" ")}</p>;
}

/** What is searched, and what of it isn't yet. */
export function sentences(
  { extent, incompleteCount }: NonNullable<SearchSnapshot["answered"]>,
  state: SearchSnapshot["state"],
  todo: number,
): string[] {
  const { count, oldestAt } = extent;
  // Before that nobody knows what the index, as it was kept, lacks of what came since.
  const isWhole = incompleteCount === 0 && todo === 0 && state === "ready";
  const said =
    oldestAt !== null
      ? (isWhole ? q.extent : q.extentPart)(count, shortDayOf(oldestAt))
      : todo > 0 || state === "opening"
        ? q.opening
        : q.nothingHeld;
  return [
    said,
    ...(todo > 0 ? [q.todo(todo)] : []),
    ...(incompleteCount > 0 && oldestAt !== null ? [q.incomplete(incompleteCount)] : []),
  ];
}

export function Faults({ faults }: { readonly faults: readonly QueryFault[] }): ReactElement {
  return (
    <p role="status" className={styles.fault}>
      {faults
        .map((fault) => ("name" in fault ? q.faults[fault.fault](fault.name) : q.faults[fault.fault](fault.value)))
        .join(" ")}
    </p>
  );
}

export function NothingFound({ isReading }: { readonly isReading: boolean }): ReactElement {
  return <EmptyState title={isReading ? q.noneYet : q.none}>{isReading ? q.noneYetText : q.noneText}</EmptyState>;
}
