// The outbox as a person understands it: of this workspace, and how much there is in the others. Loaded behind the first screen.
import { elsewhereView, withElsewhere } from "../store/elsewhere.ts";
import { outboxView } from "../store/outbox-view.ts";
import type { Replica } from "../store/replica.ts";
import type { OutboxSnapshot } from "../store/snapshots.ts";
import type { Loaded, View } from "../store/view.ts";
import type { WorkspaceClientDeps } from "./workspace-client.ts";

export function wholeOutbox(
  { store, ports, tab, ref, workspaces }: WorkspaceClientDeps,
  replica: Replica,
): View<Loaded<OutboxSnapshot>> {
  return withElsewhere(
    outboxView(replica, tab.liveness(ref().id), () => tab.statusOf(ref().id)?.rooms ?? []),
    elsewhereView({ store, replica, report: ports.report }),
    ref().id,
    () => workspaces().map(({ id }) => id),
  );
}
