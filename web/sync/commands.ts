// All one may do in a workspace, put together.
import type { Config } from "#protocol/http.ts";
import type { ChannelId } from "#protocol/ids.ts";
import { SIGNAL_EVERY_MS } from "#protocol/limits.ts";
import { putLooked } from "../store/meta.ts";
import type { Replica } from "../store/replica.ts";
import { channelRoom } from "../store/rooms.ts";
import type { Store } from "../store/store.ts";
import { channelCommands } from "./channel-commands.ts";
import type { Commands } from "./client.ts";
import { draftCommands } from "./draft-commands.ts";
import { messageCommands } from "./message-commands.ts";
import { outboxCommands } from "./outbox-commands.ts";
import type { Ports } from "./ports.ts";
import type { Submitter } from "./submit.ts";
import type { Tab } from "./tab.ts";

export interface CommandDeps {
  readonly store: Store;
  readonly replica: Replica;
  readonly ports: Ports;
  readonly tab: Tab;
  readonly submitter: Submitter;
  readonly config: () => Config;
}

export function createCommands(deps: CommandDeps): Commands & { readonly flush: () => Promise<void> } {
  const { store, replica, ports, tab } = deps;
  const drafts = draftCommands(deps);
  const roomOf = (channel: ChannelId) => channelRoom(replica.workspace, channel);
  let typedAt = 0;
  let onScreen: ChannelId | null = null;
  return {
    ...messageCommands(deps),
    ...channelCommands(deps),
    ...outboxCommands(deps),
    ...drafts,
    typing: (channel) => {
      const now = ports.now();
      if (now - typedAt < SIGNAL_EVERY_MS) return;
      typedAt = now;
      tab.send({ type: "typing", room: roomOf(channel) });
    },
    invite: async (form) => {
      const { createEdge } = await import("./edge.ts");
      return createEdge(ports, () => deps.config().api).invite(replica.workspace, form);
    },
    look: (channel) => {
      tab.look(replica.workspace, channel);
      if (channel !== onScreen && onScreen !== null) void drafts.flush().catch(ports.report);
      onScreen = channel;
      if (channel === null) return;
      const looked = store.write({ tables: ["meta"], durability: "relaxed" }, (tx) =>
        putLooked(tx, roomOf(channel), ports.now()),
      );
      void looked.catch(ports.report);
    },
    reconnect: () => tab.send({ type: "nudge" }),
  };
}
