// A search as it is typed: asks the device's index after every change, of the question or of what is held, and shows the
// answer before until the next is here.
import { isAlike } from "#protocol/alike.ts";
import type { View } from "../../store/view.ts";
import type { WorkspaceClient } from "../../sync/client.ts";
import type { Directory } from "../../sync/search/parse-query.ts";
import type { Answered, Search } from "../../sync/search/search.ts";
import type { Order } from "../../sync/search/search-index.ts";
import { startOfDay } from "../../ui/time.ts";
import { followDay } from "../../ui/today.ts";

export interface SearchSnapshot {
  readonly typed: string;
  readonly order: Order;
  readonly state: "opening" | "ready" | "unavailable";
  /** Messages that still have to be read. */
  readonly todo: number;
  /** Null before the first answer. */
  readonly answered: Answered | null;
  /** Null until the directory is here. */
  readonly directory: Directory | null;
}

export interface SearchSession extends View<SearchSnapshot> {
  readonly type: (typed: string) => void;
  readonly sort: (order: Order) => void;
  readonly more: () => void;
  readonly retry: () => void;
}

const PAGE = 30;

export function searchSession(
  client: WorkspaceClient,
  initial: Pick<SearchSnapshot, "typed" | "order">,
  report: (error: unknown) => void,
): SearchSession {
  const listeners = new Set<() => void>();
  let snapshot: SearchSnapshot = { ...initial, state: "opening", todo: 0, answered: null, directory: null };
  let limit = PAGE;
  let search: Search | null = null;
  let stops: (() => void)[] = [];
  let day = startOfDay(Date.now());

  const become = (next: Partial<SearchSnapshot>): void => {
    snapshot = { ...snapshot, ...next };
    for (const listener of listeners) listener();
  };

  const ask = (): void => {
    if (search === null) return;
    const { typed, order } = snapshot;
    search.ask(typed, order, limit).then((answered) => {
      if (answered !== null && snapshot.typed === typed && snapshot.order === order) become({ answered });
    }, report);
  };

  const hear = (): void => {
    if (search === null) return;
    const { state, todo } = search.status.snapshot();
    become({ state, todo, directory: search.directory() });
    if (state !== "unavailable") ask();
  };

  /** Filters name people and channels, and who is called so may be another by now. */
  const hearNames = (): void => {
    if (search !== null && !isAlike(search.directory(), snapshot.directory)) hear();
  };

  /** "Today" is a filter. */
  const hearDay = (): void => {
    const before = day;
    day = startOfDay(Date.now());
    if (day !== before) ask();
  };

  const open = (): void => {
    client.search().then(
      (opened) => {
        if (listeners.size === 0 || search !== null) return;
        search = opened;
        stops = [
          search.status.subscribe(hear),
          // Told of more than is here, the worker has nothing new; what is said of its answer has.
          search.incompleteCount.subscribe(ask),
          client.outbox.subscribe(ask),
          client.workspace.subscribe(hearNames),
          client.channels.subscribe(hearNames),
          followDay(hearDay),
        ];
        const { state, todo } = search.status.snapshot();
        become({ state: state === "unavailable" ? "opening" : state, todo, directory: search.directory() });
        ask();
      },
      () => become({ state: "unavailable" }),
    );
  };

  return {
    snapshot: () => snapshot,
    subscribe: (listener) => {
      listeners.add(listener);
      if (listeners.size === 1) open();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        for (const stop of stops) stop();
        stops = [];
        search = null;
      };
    },
    type: (typed) => {
      limit = PAGE;
      become({ typed });
      ask();
    },
    sort: (order) => {
      limit = PAGE;
      become({ order });
      ask();
    },
    more: () => {
      limit += PAGE;
      ask();
    },
    retry: () => {
      become({ state: "opening" });
      if (search === null) open();
      else ask();
    },
  };
}
