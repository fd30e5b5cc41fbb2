// Commands about channels and people: create, rename, join, leave, members, roles.
import { failure } from "#protocol/errors.ts";
import type { ChannelId } from "#protocol/ids.ts";
import type { AnyOp } from "#protocol/ops/all.ts";
import { failed, ok, type Result } from "#protocol/result.ts";
import type { Failure } from "#protocol/errors.ts";
import { isJoined } from "../store/channels-view.ts";
import { openAgain } from "../store/open-again.ts";
import { readOp } from "../store/outbox.ts";
import { workspaceRoom } from "../store/rooms.ts";
import type { OutboxRecord } from "../store/schema.ts";
import { mayStand } from "../store/unseen.ts";
import type { Commands } from "./client.ts";
import type { LaterDeps } from "./later-commands.ts";

export type ChannelCommands = Pick<
  Commands,
  | "createChannel"
  | "renameChannel"
  | "setTopic"
  | "archiveChannel"
  | "joinChannel"
  | "leaveChannel"
  | "changeMembers"
  | "setPrefs"
  | "updateProfile"
  | "activate"
  | "setRole"
>;

export function channelCommands({ replica, ports, submitter }: LaterDeps): ChannelCommands {
  const directory = workspaceRoom(replica.workspace);
  const submit = (change: AnyOp): Promise<Result<void, Failure>> => submitter.submit(directory, change);

  /** As far as is known here; the room knows better, and says so in the Outbox. */
  const isTaken = (name: string, by: ChannelId | null): boolean =>
    replica
      .list("channel")
      .some((channel) => !channel.deleted && channel.id !== by && channel.name === name && inNamespace(channel));
  const inNamespace = (channel: { readonly id: ChannelId; readonly access: string }): boolean =>
    channel.access === "public" || (channel.access === "private" && isJoined(replica, channel.id));

  const refusedCreation = (channel: ChannelId): OutboxRecord | undefined =>
    replica.pendingOf(directory).find(({ op, args, refusal }) => {
      return op === "channel.create" && refusal !== undefined && "id" in args && args.id === channel;
    });

  return {
    createChannel: async ({ name, access, topic, members }) => {
      const id = ports.newId() as ChannelId;
      const about = topic === undefined || topic === "" ? {} : { topic };
      const people = members === undefined || members.length === 0 ? {} : { members: [...members] };
      const checked = submitter.check({ op: "channel.create", args: { id, name, access, ...about, ...people } });
      if (!checked.ok) return checked;
      if (checked.value.op === "channel.create" && isTaken(checked.value.args.name, null))
        return failed(failure("name_taken"));
      const written = await submitter.submit(directory, checked.value);
      return written.ok ? ok(id) : written;
    },

    renameChannel: async (channel, name) => {
      const checked = submitter.check({ op: "channel.update", args: { id: channel, name } });
      if (!checked.ok) return checked;
      if (isTaken(name, channel)) return failed(failure("name_taken"));
      const refused = refusedCreation(channel);
      if (refused === undefined) return submit(checked.value);
      // Its name was taken: made under another, with its id, so that what was written in it goes along ([OP9]).
      return submitter.write("strict", async (tx) => {
        const op = await readOp(tx, refused.id);
        if (op?.op !== "channel.create") return;
        if (!mayStand(op)) return void openAgain(tx, { ...op, args: { ...op.args, name } });
        // It may be made already: the same once more is without effect, and the name is a change behind it.
        openAgain(tx, op);
        return submitter.add(tx, directory, checked.value);
      });
    },

    setTopic: (id, topic) => submit({ op: "channel.update", args: { id, topic } }),
    archiveChannel: (id, on) => submit({ op: "channel.archive", args: { id, on } }),
    joinChannel: (id) => submit({ op: "channel.join", args: { id } }),
    leaveChannel: (id) => submit({ op: "channel.leave", args: { id } }),
    changeMembers: (id, { add = [], remove = [] }) =>
      submit({ op: "channel.members", args: { id, add: [...add], remove: [...remove] } }),
    setPrefs: (channel, { starred, muted, level }) =>
      submit({
        op: "channel.prefs",
        args: {
          channel,
          ...(starred === undefined ? {} : { starred }),
          ...(muted === undefined ? {} : { muted }),
          ...(level === undefined ? {} : { level }),
        },
      }),
    updateProfile: (args) => submit({ op: "member.update", args }),
    activate: (user, on) => submit({ op: "member.activate", args: { user, on } }),
    setRole: (user, role) => submit({ op: "member.role", args: { user, role } }),
  };
}
