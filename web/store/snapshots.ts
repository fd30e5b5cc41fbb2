// The shapes that views answer with: confirmed entities with pending ops applied, ready to be shown.
import type { Access, Channel } from "#protocol/entities/channel.ts";
import type { Member } from "#protocol/entities/member.ts";
import type { Prefs } from "#protocol/entities/my-state.ts";
import type { ErrorCode } from "#protocol/errors.ts";
import type { ChannelId, MessageId, OpId, UserId, WorkspaceId } from "#protocol/ids.ts";
import type { AnyOp } from "#protocol/ops/all.ts";
import type { Perm, Role } from "#protocol/roles.ts";
import type { EventRecord } from "./schema.ts";

/** Why an op was refused, as it stands in the Outbox. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly detail: string;
  /** It had a number when access was lost: it may have been delivered all the same ([AU4]). */
  readonly maybeDelivered?: boolean;
}

export type Delivery = "queued" | "sending" | "sent" | "refused";

// — the person and their workspaces —

export interface Person {
  readonly user: UserId;
  readonly name: string;
  readonly email: string;
}

export interface WorkspaceRef {
  readonly id: WorkspaceId;
  readonly slug: string;
  readonly name: string;
  readonly role: Role;
}

/** Who this device works for. `signed-out` with a person: the session ended, reading goes on. */
export type SessionSnapshot =
  | { readonly state: "nobody" }
  | {
      readonly state: "signed-in" | "signed-out";
      readonly person: Person;
      readonly workspaces: readonly WorkspaceRef[];
    };

// — the workspace —

export interface MemberRow {
  readonly user: UserId;
  readonly name: string;
  readonly role: Role;
  readonly title?: string;
  readonly avatar?: string;
  readonly status?: NonNullable<Member["status"]>;
  readonly isDeactivated: boolean;
  readonly isMe: boolean;
}

export interface WorkspaceSnapshot {
  readonly ref: WorkspaceRef;
  readonly me: MemberRow;
  /** By user; deactivated people too, so that old messages keep a name. */
  readonly members: ReadonlyMap<UserId, MemberRow>;
  readonly mayCreatePublic: boolean;
  readonly mayCreatePrivate: boolean;
  readonly mayInvite: boolean;
}

export interface ChannelRow {
  readonly id: ChannelId;
  readonly name: string;
  readonly access: Access;
  readonly isArchived: boolean;
  readonly isJoined: boolean;
  readonly isStarred: boolean;
  readonly isMuted: boolean;
  readonly level: NonNullable<Prefs["level"]>;
  /** Something stands past my read position. */
  readonly isUnread: boolean;
  /** Unread messages that name me. */
  readonly mentionCount: number;
  readonly hasDraft: boolean;
  /** Made here and not yet known to the room, or refused by it. */
  readonly delivery: Delivery;
  readonly refusal?: Refusal;
}

/** All channels in sight, by name; the sidebar shows the joined ones, the browser all. */
export interface ChannelsSnapshot {
  readonly channels: readonly ChannelRow[];
  /** Whether all of the directory is here: before that there may be more of them, and one may be in more. */
  readonly isWhole: boolean;
  /** For title and favicon. */
  readonly unreadChannelCount: number;
  readonly mentionCount: number;
}

export type ChannelSnapshot =
  | { readonly state: "loading" }
  /** Not known here, or out of sight; nothing tells which. */
  | { readonly state: "missing" }
  | {
      readonly state: "ready";
      readonly row: ChannelRow;
      readonly channel: Extract<Channel, { deleted?: false }>;
      readonly members: readonly MemberRow[];
      /** Why one can't write here, or null where one can. */
      readonly closed: "archived" | "admins-only" | "not-joined" | null;
      readonly can: readonly Perm[];
      readonly mayRename: boolean;
      readonly maySetTopic: boolean;
      readonly mayArchive: boolean;
      readonly mayAddMembers: boolean;
    };

/** Who is here and who is writing; the one thing shown that is not stored. */
export interface PresenceSnapshot {
  readonly present: ReadonlyMap<UserId, "active" | "away">;
  /** Not oneself. */
  readonly typing: readonly UserId[];
}

// — the outbox —

export interface OutboxItem {
  readonly op: OpId;
  readonly change: AnyOp;
  readonly channel: ChannelId | null;
  readonly channelName: string | null;
  readonly writtenAt: number;
  readonly delivery: Exclude<Delivery, "sent">;
  readonly refusal?: Refusal;
  /** The words of a refused message by now, where it was edited since: an edit behind it waits with it. Of a deletion, those it took. */
  readonly editedText?: string;
  /** It was refused because its channel was archived, or one might not do that, and that is past. */
  readonly isReasonPast?: true;
  /** What it waits for besides the network: an op before it, by id. */
  readonly waitsFor?: OpId;
  /** The device is connected, and not to its room. */
  readonly isRoomAway?: true;
  /** Out of the queue, or, where it may have been delivered, by a deletion behind it ([OP10]). */
  readonly mayTakeBack: boolean;
  /** Waits, and is in the room all the same, for all that is known: a message is taken back by deleting it there. */
  readonly maybeDelivered?: true;
}

/** A text that was never sent, where one can't write any more: it is kept here, for there is no composer to keep it. */
export interface OutboxDraft {
  readonly channel: ChannelId;
  readonly root: MessageId | null;
  readonly channelName: string | null;
  readonly text: string;
  readonly why: "gone" | "archived" | "not-joined" | "admins-only";
}

export interface OutboxSnapshot {
  /** In the order written. Read positions and drafts are left out: nobody waits for those. */
  readonly items: readonly OutboxItem[];
  readonly drafts: readonly OutboxDraft[];
  /** Of other workspaces, those too that the person isn't in any more. */
  readonly elsewhere: readonly OutboxElsewhere[];
  /** In sight in the person's other workspaces; null or missing while the directory of one of them isn't here. */
  readonly channelsElsewhere?: ReadonlyMap<ChannelId, unknown> | null;
  /** Here and elsewhere. */
  readonly waitingCount: number;
  /** Refused ones, here and elsewhere, and drafts that have no place any more. */
  readonly refusedCount: number;
  /** Those drafts. */
  readonly draftCount: number;
  /** Whether those elsewhere were read: before that nobody can say that there is nothing. */
  readonly isWhole: boolean;
}

export interface OutboxElsewhere {
  readonly workspace: WorkspaceId;
  readonly waitingCount: number;
  /** With drafts that have no place any more; all there are, where the person isn't in that workspace any more. */
  readonly refusedCount: number;
  readonly draftCount: number;
}

// — the truth about the network —

export type ConnectionSnapshot =
  | { readonly state: "live" }
  | { readonly state: "catching-up"; readonly done: number; readonly total: number }
  | { readonly state: "connecting" }
  /** There is no room to store even that this tab leads: nothing new comes until there is. */
  | { readonly state: "full" }
  /** `retryAt`: epoch ms of the next try; null while one is under way. `isTold`: we were told to wait so long. */
  | { readonly state: "reconnecting"; readonly retryAt: number | null; readonly isTold?: true }
  /** `isChosen`: the person works offline by choice, and nothing is tried. */
  | { readonly state: "offline"; readonly retryAt: number | null; readonly isChosen?: true }
  | { readonly state: "signed-out" }
  | { readonly state: "misconfigured"; readonly detail: string; readonly retryAt: number | null }
  /** The workspace lets us in no more, or not with this build; nothing is tried. */
  | { readonly state: "refused"; readonly code: ErrorCode; readonly detail: string };

export interface RoomStatus {
  readonly name: string;
  readonly label: string;
  readonly link: "none" | "connecting" | "catching-up" | "live" | "waiting" | "refused";
  readonly cursor: number | null;
  readonly head: number | null;
  readonly heldMessages: number;
  readonly isComplete: boolean;
  readonly detail?: string;
}

export interface StatusSnapshot {
  readonly connection: ConnectionSnapshot;
  readonly rooms: readonly RoomStatus[];
  /** `drafts`: those whose channel can't be written in any more. Null until that there are none can be said. */
  readonly outbox: { readonly waiting: number; readonly refused: number; readonly drafts: number } | null;
  readonly storage: {
    readonly usedBytes: number | null;
    readonly quotaBytes: number | null;
    readonly isPersistent: boolean | null;
    /** `memory`: this browser keeps nothing. */
    readonly kind: "disk" | "memory";
  };
  readonly isLeader: boolean;
  /** The person's choice, as it is stored; left out where that isn't read yet. */
  readonly isOfflineChosen?: boolean;
  /** Epoch ms of the last time all was up to date. */
  readonly liveAt: number | null;
  /** What happened lately, oldest first. */
  readonly events: readonly EventRecord[];
  readonly build: string;
  readonly protocol: number;
}
