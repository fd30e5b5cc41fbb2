// What waits and was refused in the person's other workspaces: their replicas aren't open while one looks at this one.
import type { WorkspaceId } from "#protocol/ids.ts";
import { isCounted, readOutbox, workspaceOf } from "./outbox.ts";
import type { Replica } from "./replica.ts";
import type { OutboxRecord } from "./schema.ts";
import type { OutboxElsewhere, OutboxSnapshot } from "./snapshots.ts";
import { cell, derive, together } from "./source.ts";
import type { Store } from "./store.ts";
import type { Loaded, View } from "./view.ts";

interface ElsewhereDeps {
  readonly store: Store;
  readonly replica: Pick<Replica, "workspace" | "readings">;
  readonly report: (error: unknown) => void;
}

/** Nothing is read while nobody listens. */
export function elsewhereView({ store, replica, report }: ElsewhereDeps): View<readonly OutboxElsewhere[]> {
  const { workspace } = replica;
  const counted = cell<readonly OutboxElsewhere[]>([]);
  let readings = 0;

  const read = async (): Promise<void> => {
    const reading = ++readings;
    const ops = await store.read(["outbox"], readOutbox);
    // A later one knows better.
    if (reading === readings) counted.set(countElsewhere(ops, workspace));
  };
  const refresh = (): void => void read().catch(report);

  return {
    snapshot: counted.snapshot,
    subscribe: (listener) => {
      const stops = [
        counted.subscribe(listener),
        replica.readings.subscribe(refresh),
        // What was taken out is named by its place alone.
        store.listen((commit) => {
          const isAbout = commit.some(
            (change) =>
              change.table === "outbox" &&
              ("put" in change ? workspaceOf(change.put) !== workspace : counted.snapshot().length > 0),
          );
          if (isAbout) refresh();
        }),
      ];
      refresh();
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

function countElsewhere(ops: readonly OutboxRecord[], here: WorkspaceId): readonly OutboxElsewhere[] {
  const others = Map.groupBy(ops.filter(isCounted), workspaceOf);
  return [...others].flatMap(([workspace, own]) => {
    if (workspace === null || workspace === here) return [];
    const refusedCount = own.filter(({ refusal }) => refusal !== undefined).length;
    return { workspace, waitingCount: own.length - refusedCount, refusedCount };
  });
}

/**
 * The outbox of a workspace with what is elsewhere in its counts.
 * @param isIn whether the person is in that workspace: of another the outbox can't be opened, and its count would stay
 */
export function withElsewhere(
  outbox: View<Loaded<OutboxSnapshot>>,
  elsewhere: View<readonly OutboxElsewhere[]>,
  isIn: (workspace: WorkspaceId) => boolean,
): View<Loaded<OutboxSnapshot>> {
  return derive(
    together(outbox, elsewhere),
    () => ({}),
    (): Loaded<OutboxSnapshot> => {
      const here = outbox.snapshot();
      const others = elsewhere.snapshot();
      if (here.state === "loading" || others.length === 0) return here;
      const own = others.filter(({ workspace }) => isIn(workspace));
      return {
        state: "ready",
        value: {
          ...here.value,
          elsewhere: others,
          waitingCount: own.reduce((sum, { waitingCount }) => sum + waitingCount, here.value.waitingCount),
          refusedCount: own.reduce((sum, { refusedCount }) => sum + refusedCount, here.value.refusedCount),
        },
      };
    },
  );
}
