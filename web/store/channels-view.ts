// All channels in sight with their unread marks, and one of them with what one may do there.
import type { LiveChannel } from "#protocol/entities/channel.ts";
import { membershipId, myStateId } from "#protocol/entities/keys.ts";
import type { ChannelId } from "#protocol/ids.ts";
import { isAdmin, type Perm, type Role } from "#protocol/roles.ts";
import type { Liveness } from "./liveness.ts";
import { draftText, roomOf, type Replica } from "./replica.ts";
import { heardTo, workspaceRoom } from "./rooms.ts";
import type { OutboxRecord, RoomRecord } from "./schema.ts";
import type { ChannelRow, ChannelSnapshot, ChannelsSnapshot, Delivery, WorkspaceRef } from "./snapshots.ts";
import { derive, together } from "./source.ts";
import type { Loaded, View } from "./view.ts";
import { memberRow, roleOf } from "./workspace-view.ts";

/** What a shown op's mark says: numbered and on a link that carries it, or waiting, or refused. */
export function deliveryOf(op: OutboxRecord | undefined, liveness: Liveness): Delivery {
  if (op === undefined) return "sent";
  if (op.refusal !== undefined) return "refused";
  return op.n !== undefined && liveness.isFlowing(op.room) ? "sending" : "queued";
}

export function isJoined(replica: Pick<Replica, "me" | "get">, channel: ChannelId): boolean {
  const membership = replica.get("membership", membershipId(channel, replica.me));
  return membership !== undefined && !membership.deleted;
}

/** The highest place that can be unread to me: what is held tells mine from others', a head alone doesn't. */
export function topOf(replica: Replica, channel: ChannelId): number {
  const head = replica.heads.get(channel)?.top ?? 0;
  const room = standingRoom(replica, channel);
  return room !== undefined && head <= heardTo(room) ? room.top : head;
}

/** What is held of the channel, unless its history ended as the room was restored ([SV2]). */
export function standingRoom(replica: Replica, channel: ChannelId): RoomRecord | undefined {
  const room = roomOf(replica, channel);
  return (replica.heads.get(channel)?.restored ?? room)?.epoch === room?.epoch ? room : undefined;
}

export function readSeq(replica: Replica, channel: ChannelId): number {
  return replica.get("read", myStateId(replica.me, channel))?.seq ?? 0;
}

function rowOf(
  replica: Replica,
  liveness: Liveness,
  channel: LiveChannel,
  creation: OutboxRecord | undefined,
): ChannelRow {
  const { id, name, access } = channel;
  const prefs = replica.get("prefs", myStateId(replica.me, id));
  const joined = isJoined(replica, id);
  const read = readSeq(replica, id);
  const naming = standingRoom(replica, id)?.naming ?? [];
  return {
    id,
    name,
    access,
    isArchived: channel.archivedAt !== undefined,
    isJoined: joined,
    isStarred: prefs?.starred === true,
    isMuted: prefs?.muted === true,
    level: prefs?.level ?? "all",
    isUnread: joined && !prefs?.muted && topOf(replica, id) > read,
    mentionCount: joined ? naming.filter((seq) => seq > read).length : 0,
    hasDraft: draftText(replica, id).trim() !== "",
    delivery: deliveryOf(creation, liveness),
    ...(creation?.refusal && { refusal: creation.refusal }),
  };
}

const byName = (one: ChannelRow, other: ChannelRow): number =>
  one.name < other.name ? -1 : one.name > other.name ? 1 : one.id < other.id ? -1 : 1;

export function channelsView(replica: Replica, liveness: Liveness): View<Loaded<ChannelsSnapshot>> {
  return derive(
    together(replica, liveness),
    () => `${replica.version()}.${liveness.version()}`,
    (before): Loaded<ChannelsSnapshot> => {
      if (!replica.isLoaded()) return before ?? { state: "loading" };
      const creations = creationsOf(replica);
      const channels = replica
        .list("channel")
        .filter((channel): channel is LiveChannel => !channel.deleted)
        .map((channel) => rowOf(replica, liveness, channel, creations.get(channel.id)))
        .toSorted(byName);
      // An archived one stands in no list where one would find what is unread in it.
      const listed = channels.filter(({ isArchived }) => !isArchived);
      return {
        state: "ready",
        value: {
          channels,
          isWhole: !isComing(replica),
          unreadChannelCount: listed.filter(({ isUnread }) => isUnread).length,
          mentionCount: listed.reduce((sum, row) => sum + row.mentionCount, 0),
        },
      };
    },
  );
}

function creationsOf(replica: Replica): ReadonlyMap<ChannelId, OutboxRecord> {
  const pending = replica.pendingOf(workspaceRoom(replica.workspace));
  return new Map(pending.flatMap((op) => (op.op === "channel.create" ? [[op.args.id, op] as const] : [])));
}

/** What one may do in a channel, as its room last said or as the role goes. */
export function permsIn(replica: Replica, channel: ChannelId, role: Role): readonly Perm[] {
  const said = roomOf(replica, channel)?.you?.can;
  if (said !== undefined) return said;
  if (isAdmin(role)) return ["read", "write", "pin", "manage"];
  return role === "member" ? ["read", "write", "pin"] : ["read", "write"];
}

export function channelView(
  replica: Replica,
  liveness: Liveness,
  ref: () => WorkspaceRef,
  id: ChannelId,
): View<ChannelSnapshot> {
  return derive(
    together(replica, liveness),
    () => `${replica.version()}.${liveness.version()}`,
    (before): ChannelSnapshot => {
      if (!replica.isLoaded()) return before ?? { state: "loading" };
      const channel = replica.get("channel", id);
      if (channel === undefined || channel.deleted) return missing(replica, liveness);
      const role = roleOf(replica, ref());
      const row = rowOf(replica, liveness, channel, creationsOf(replica).get(id));
      const members = replica
        .list("membership")
        .filter((membership) => membership.channel === id && !membership.deleted)
        .map(({ user }) => replica.get("member", user))
        .filter((member) => member !== undefined)
        .map((member) => memberRow(member, replica.me))
        .toSorted((one, other) => one.name.localeCompare(other.name));
      const ownPrivate = channel.access === "private" && channel.createdBy === replica.me;
      const manages = isAdmin(role) || ownPrivate;
      const isWriter = row.isJoined && !row.isArchived;
      const maySetTopic = (manages || role === "member") && isWriter;
      return {
        state: "ready",
        row,
        channel,
        members,
        closed: closedBecause(replica, channel),
        can: permsIn(replica, id, role),
        mayRename: manages && isWriter,
        maySetTopic,
        mayArchive: manages,
        mayAddMembers: maySetTopic,
      };
    },
  );
}

/**
 * Until the directory has been read once, what isn't here may still come: a channel, or that one is in it.
 * @param isFirst only where nothing of an earlier reading is held: the first of all is generation 1
 */
export function isComing(replica: Pick<Replica, "workspace" | "rooms">, isFirst?: boolean): boolean {
  const directory = replica.rooms.get(workspaceRoom(replica.workspace));
  return directory?.cursor == null || (directory.isSweeping && !(isFirst && directory.generation > 1));
}

function missing(replica: Replica, liveness: Liveness): ChannelSnapshot {
  const { state } = liveness.connection();
  const isAwaited = isComing(replica) && (state === "connecting" || state === "catching-up");
  return { state: isAwaited ? "loading" : "missing" };
}

/** Why one can't write there, as far as is known here; null where one can. */
export function closedBecause(
  replica: Pick<Replica, "me" | "get" | "workspace" | "rooms">,
  { id, archivedAt, posting }: LiveChannel,
): "archived" | "not-joined" | "admins-only" | null {
  if (archivedAt !== undefined) return "archived";
  if (!isJoined(replica, id) && !isComing(replica, true)) return "not-joined";
  const role = replica.get("member", replica.me)?.role;
  return posting === "admins" && role !== undefined && !isAdmin(role) ? "admins-only" : null;
}
