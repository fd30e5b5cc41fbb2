// All one may do in a workspace, put together: what the composer needs is here at once, the rest comes right behind.
import type { Config } from "#protocol/http.ts";
import type { ChannelId, MessageId } from "#protocol/ids.ts";
import { SIGNAL_EVERY_MS } from "#protocol/limits.ts";
import { loadedOnce } from "../store/loaded-once.ts";
import { putLooked } from "../store/meta.ts";
import type { Replica } from "../store/replica.ts";
import { channelRoom } from "../store/rooms.ts";
import type { Store } from "../store/store.ts";
import { behind } from "./behind.ts";
import type { Commands } from "./client.ts";
import { draftCommands } from "./draft-commands.ts";
import type { LaterCommands } from "./later-commands.ts";
import { asTyped } from "./mentions.ts";
import type { Ports } from "./ports.ts";
import { peopleOf, postCommand } from "./post-command.ts";
import type { Tab } from "./tab.ts";
import type { Writer } from "./writer.ts";

export interface CommandDeps {
  readonly store: Store;
  readonly replica: Replica;
  readonly ports: Ports;
  readonly tab: Tab;
  readonly writer: Writer;
  readonly config: () => Config | null;
}

const BEHIND = [
  "isPosted",
  "markRead",
  "markUnread",
  "edit",
  "remove",
  "react",
  "createChannel",
  "renameChannel",
  "setTopic",
  "archiveChannel",
  "joinChannel",
  "leaveChannel",
  "changeMembers",
  "pin",
  "setApart",
  "setPrefs",
  "updateProfile",
  "activate",
  "setRole",
  "retry",
  "postAgain",
  "discard",
  "moveTo",
  "moveDraft",
  "keep",
  "invite",
  "workOffline",
] as const satisfies readonly (keyof LaterCommands)[];

export function createCommands(deps: CommandDeps): Commands & { readonly flush: () => Promise<void> } {
  const { store, replica, ports, tab } = deps;
  const drafts = draftCommands(deps);
  const roomOf = (channel: ChannelId) => channelRoom(replica.workspace, channel);
  let typedAt = 0;
  let onScreen: ChannelId | null = null;

  const loaded = loadedOnce(async () => (await import("./later-commands.ts")).laterCommands(deps));

  // Before a network can go away: what was loaded once works without one.
  void Promise.all([replica.loaded, ports.firstScreen])
    .then(loaded)
    .catch(() => undefined);

  return {
    newMessageId: ports.newId as () => MessageId,
    post: postCommand(deps),
    textToEdit: (text) => asTyped(text, peopleOf(replica)),
    ...drafts,
    ...behind(BEHIND, loaded),
    typing: (channel) => {
      const now = ports.now();
      // A clock that was set back silences nobody.
      if (Math.abs(now - typedAt) < SIGNAL_EVERY_MS) return;
      typedAt = now;
      tab.send({ type: "typing", room: roomOf(channel) });
    },
    look: (channel) => {
      tab.look(replica.workspace, channel);
      if (onScreen && channel !== onScreen) void drafts.flush().catch(ports.report);
      onScreen = channel;
      if (!channel) return;
      store
        .write({ tables: ["meta"], durability: "relaxed" }, (tx) => putLooked(tx, roomOf(channel), ports.now()))
        .catch(ports.report);
    },
    reconnect: () => tab.send({ type: "nudge" }),
  };
}
