// What waits and was refused in the person's other workspaces: their replicas aren't open while one looks at this one.
import type { WorkspaceId } from "#protocol/ids.ts";
import {
  ELSEWHERE_TABLES,
  isAboutElsewhere,
  NOTHING_ELSEWHERE,
  readElsewhere,
  type CountedElsewhere,
  type Elsewhere,
} from "./read-elsewhere.ts";
import { workspaceRoom } from "./rooms.ts";
import type { Replica } from "./replica.ts";
import type { OutboxElsewhere, OutboxSnapshot } from "./snapshots.ts";
import { cell, derive, together } from "./source.ts";
import type { Store } from "./store.ts";
import type { Loaded, View } from "./view.ts";

interface ElsewhereDeps {
  readonly store: Store;
  readonly replica: Pick<Replica, "workspace" | "me" | "readings">;
  readonly report: (error: unknown) => void;
}

/** Nothing is read while nobody listens; null until it has been once. */
export function elsewhereView({ store, replica, report }: ElsewhereDeps): View<Elsewhere | null> {
  const { workspace, me } = replica;
  const counted = cell<Elsewhere | null>(null);
  let readings = 0;

  const read = async (): Promise<void> => {
    const reading = ++readings;
    const found = await store.read(ELSEWHERE_TABLES, (tx) => readElsewhere(tx, workspace, me));
    // A later one knows better.
    if (reading === readings) counted.set(found);
  };
  const refresh = (): void =>
    void read().catch((error: unknown) => {
      report(error);
      // What is here is to be said, whatever can't be read.
      counted.set(counted.snapshot() ?? NOTHING_ELSEWHERE);
    });

  return {
    snapshot: counted.snapshot,
    subscribe: (listener) => {
      const stops = [
        counted.subscribe(listener),
        replica.readings.subscribe(refresh),
        store.listen((commit) => {
          if (commit.some((change) => isAboutElsewhere(change, workspace, me, counted.snapshot() ?? NOTHING_ELSEWHERE)))
            refresh();
        }),
      ];
      refresh();
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

/**
 * The outbox of a workspace with what is elsewhere in its counts.
 * @param own the workspace that is open
 * @param workspaces those that the person is in: of another the outbox can't be opened, and its count would stay
 */
export function withElsewhere(
  outbox: View<Loaded<OutboxSnapshot>>,
  elsewhere: View<Elsewhere | null>,
  own: WorkspaceId,
  workspaces: () => readonly WorkspaceId[],
): View<Loaded<OutboxSnapshot>> {
  return derive(
    together(outbox, elsewhere),
    () => ({}),
    (): Loaded<OutboxSnapshot> => {
      const here = outbox.snapshot();
      if (here.state === "loading") return here;
      const there = elsewhere.snapshot();
      if (there === null) return { state: "ready", value: { ...here.value, isWhole: false } };
      const others = there.counts.flatMap((counts) => countedOf(counts, workspaces().includes(counts.workspace)));
      const channelsElsewhere = workspaces().every((id) => id === own || there.whole.has(workspaceRoom(id)))
        ? new Map([...there.channels].filter(([, workspace]) => workspaces().includes(workspace)))
        : null;
      const counted = others.filter(({ workspace }) => workspaces().includes(workspace));
      const sum = (of: (each: OutboxElsewhere | OutboxSnapshot) => number): number =>
        counted.reduce((all, each) => all + of(each), of(here.value));
      return {
        state: "ready",
        value: {
          ...here.value,
          elsewhere: others,
          channelsElsewhere,
          waitingCount: sum(({ waitingCount }) => waitingCount),
          refusedCount: sum(({ refusedCount }) => refusedCount),
          draftCount: sum(({ draftCount }) => draftCount),
        },
      };
    },
  );
}

/** Drafts that have a composer wait for nobody. */
function countedOf(
  { workspace, waitingCount, refusedCount, homelessCount, draftCount: all }: CountedElsewhere,
  isIn: boolean,
): readonly OutboxElsewhere[] {
  const draftCount = isIn ? homelessCount : all;
  if (waitingCount + refusedCount + draftCount === 0) return [];
  return [{ workspace, waitingCount, refusedCount: refusedCount + draftCount, draftCount }];
}
