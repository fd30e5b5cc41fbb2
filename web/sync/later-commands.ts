// All commands but those of the composer, loaded behind it. They need the schemas of their ops.
import { putWorkOffline } from "../store/work-offline.ts";
import { channelCommands, type ChannelCommands } from "./channel-commands.ts";
import type { Commands } from "./client.ts";
import type { CommandDeps } from "./commands.ts";
import { DEFAULT_CONFIG } from "./default-config.ts";
import { createEdge } from "./edge.ts";
import { keepCommand } from "./keep-command.ts";
import { messageCommands, type MessageCommands } from "./message-commands.ts";
import { outboxCommands, type OutboxCommands } from "./outbox-commands.ts";
import { protectWhenQueued } from "./protect.ts";
import { readCommands, type ReadCommands } from "./read-commands.ts";
import { createSubmitter, type Submitter } from "./submit.ts";
import type { Writer } from "./writer.ts";

export interface LaterDeps extends CommandDeps {
  readonly submitter: Submitter;
}

export type LaterCommands = MessageCommands &
  ChannelCommands &
  OutboxCommands &
  ReadCommands &
  Pick<Commands, "invite" | "keep" | "workOffline">;

export function laterCommands(deps: CommandDeps): LaterCommands {
  const writer = noticing(deps);
  const later: LaterDeps = { ...deps, writer, submitter: createSubmitter({ ...deps, writer }) };
  const liveness = deps.tab.liveness(deps.replica.workspace);
  protectWhenQueued({ ...deps, isLive: () => liveness.connection().state === "live" });
  return {
    ...messageCommands(later),
    ...channelCommands(later),
    ...outboxCommands(later),
    ...readCommands(later),
    keep: keepCommand(later),
    workOffline: (on) => later.submitter.write("strict", async (tx) => putWorkOffline(tx, on), ["meta"]),
    invite: (form) =>
      createEdge(deps.ports, () => (deps.config() ?? DEFAULT_CONFIG).api).invite(deps.replica.workspace, form),
  };
}

/** What is to be stored for good somebody does here just now: a leader that hangs is noticed at once, as by a text. */
function noticing({ writer, tab }: CommandDeps): Writer {
  return {
    ...writer,
    write: (durability, ...how) => {
      if (durability === "strict") tab.used();
      return writer.write(durability, ...how);
    },
  };
}
