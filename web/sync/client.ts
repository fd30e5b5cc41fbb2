// What the interface holds: the account, and per workspace its views and commands. Shapes only; `open-client.ts` makes it.
import type { ChannelId, MessageId, OpId, UserId } from "#protocol/ids.ts";
import type { Config, Invitation, InvitationCreated, WorkspaceCreated } from "#protocol/http.ts";
import type { Prefs } from "#protocol/entities/my-state.ts";
import type { OpArgs } from "#protocol/ops/all.ts";
import type { Failure } from "#protocol/errors.ts";
import type { Result } from "#protocol/result.ts";
import type { Role } from "#protocol/roles.ts";
import type {
  ChannelSnapshot,
  ChannelsSnapshot,
  ConnectionSnapshot,
  OutboxSnapshot,
  PresenceSnapshot,
  SessionSnapshot,
  StatusSnapshot,
  WorkspaceRef,
  WorkspaceSnapshot,
} from "../store/snapshots.ts";
import type { PinsSnapshot, Timeline } from "../store/timeline-snapshots.ts";
import type { TimelineMessage } from "../store/timeline-snapshots.ts";
import type { Keep, KeepDays } from "../store/keep.ts";
import type { ReadinessSnapshot } from "../store/readiness.ts";
import type { Loaded, View } from "../store/view.ts";
import type { ReplyTarget } from "./reply-target.ts";
import type { Unsent } from "./unsent.ts";
import type { Search } from "./search/search.ts";
import type { WaitingText } from "./waiting.ts";

export interface NotSignedOut extends Failure {
  /** What was to be discarded goes nowhere for HELD_BACK_FOR_MS: until it is called off, or another press decides. */
  readonly isHeldBack?: true;
}

/** Sign-in and what lies outside a workspace. All of it needs the network; a failure says so and keeps what was typed. */
export interface Account {
  readonly session: View<SessionSnapshot>;
  /** From the last good copy; null before the first. */
  readonly config: View<Config | null>;
  readonly signUp: (form: SignUpForm) => Promise<Result<void, Failure>>;
  readonly signIn: (form: { readonly email: string; readonly password: string }) => Promise<Result<void, Failure>>;
  /**
   * Takes this person's replica off the device. With a queue it needs to be told what becomes of it.
   * @param calledOff also ends the holding back of what was to be discarded, where that failed
   */
  readonly signOut: (
    queue: "none" | "keep" | "discard",
    calledOff?: AbortSignal,
  ) => Promise<Result<void, NotSignedOut>>;
  /** What isn't delivered yet, of all workspaces. A new view each time. */
  readonly unsent: () => Promise<View<Loaded<Unsent>>>;
  /** The same as lines of NDJSON, to be kept elsewhere. */
  readonly exportUnsent: () => Promise<readonly string[]>;
  readonly createWorkspace: (form: {
    readonly name: string;
    readonly setupCode?: string;
  }) => Promise<Result<WorkspaceCreated, Failure>>;
  readonly invitation: (code: string) => Promise<Result<Invitation, Failure>>;
  readonly join: (code: string) => Promise<Result<WorkspaceRef, Failure>>;
  /** Whether nobody answered when it was last asked who is here; asked again by itself where nobody is signed in. */
  readonly unreached: () => Promise<View<boolean>>;
  /** Asks again who is signed in and where; at once after a sign-in elsewhere. */
  readonly refresh: () => Promise<Result<void, Failure>>;
}

export interface SignUpForm {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly invitation?: string;
  readonly setupCode?: string;
}

/** One workspace on this device. Made at once and without the network; its views fill from disk. */
export interface WorkspaceClient {
  readonly workspace: View<Loaded<WorkspaceSnapshot>>;
  readonly channels: View<Loaded<ChannelsSnapshot>>;
  readonly channel: (id: ChannelId) => View<ChannelSnapshot>;
  readonly presence: (id: ChannelId) => View<PresenceSnapshot>;
  /** A new window each time; let go of by ending its last subscription. */
  readonly timeline: (id: ChannelId) => Timeline;
  /** A new list each time, like a timeline. */
  readonly pins: (id: ChannelId) => View<Loaded<PinsSnapshot>>;
  /** One message, a new view each time; null while it isn't on this device. */
  readonly message: (channel: ChannelId, id: MessageId) => View<Loaded<TimelineMessage | null>>;
  readonly outbox: View<Loaded<OutboxSnapshot>>;
  /** The unsent text of a composer, whichever tab or device it was typed on. */
  readonly draft: (channel: ChannelId, root?: MessageId) => View<Loaded<string>>;
  readonly connection: View<ConnectionSnapshot>;
  /** Until when all was known to be up to date, epoch ms; null for never on this device. */
  readonly liveAt: View<number | null>;
  readonly status: View<StatusSnapshot>;
  /** What of the workspace is on this device, and what is still on its way. */
  readonly readiness: View<Loaded<ReadinessSnapshot>>;
  /** Over all that is held of the workspace; its worker starts with the first question. */
  readonly search: () => Promise<Search>;
  readonly commands: Commands;
}

export type KeepChange =
  /** Of all channels that have no setting of their own. */
  | { readonly do: "limit"; readonly to: Partial<Pick<Keep, "days" | "maxBytes">> }
  /** Of one channel; undefined: as of the others. */
  | { readonly do: "limit-channel"; readonly channel: ChannelId; readonly days: KeepDays | undefined }
  /** Fills in the background whatever the line costs, until the app is opened anew. */
  | { readonly do: "fill-now" }
  /** Asks the browser never to clear this device's data by itself. */
  | { readonly do: "protect" };

/** A draft as its writer saw it; or what of the writer's may stand, oldest first: the later ones may not be on disk yet. */
export type MayStand = string | readonly string[];

/** A composer's, and as much of what stands in it as is meant. */
export interface DraftPlace {
  readonly channel: ChannelId;
  readonly root?: MessageId;
  readonly text: string;
}

/**
 * Everything one may do. Each writes the outbox in one transaction and resolves when that is on disk; the change shows
 * because the store changed. A failure is one the person can mend at once (too long, name taken here, storage full).
 */
export interface Commands {
  readonly newMessageId: () => MessageId;
  /**
   * `text` as typed; `mentions` and the stored form of names are made of it. `id` is known before where one wants to
   * ask later whether it was stored. `draft` is what the composer had stored of it, which goes with it; all that stands
   * there, where left out.
   */
  readonly post: (
    channel: ChannelId,
    text: string,
    target?: ReplyTarget,
    id?: MessageId,
    draft?: MayStand,
  ) => Promise<Result<MessageId, Failure>>;
  /** Whether it is in the outbox or in the timeline: stored here at some time. */
  readonly isPosted: (channel: ChannelId, message: MessageId) => Promise<Result<boolean, Failure>>;
  /** @param seen what the person began to change; what is held now where left out */
  readonly edit: (channel: ChannelId, message: MessageId, text: string, seen?: Seen) => Promise<Result<void, Failure>>;
  readonly remove: (channel: ChannelId, message: MessageId) => Promise<Result<void, Failure>>;
  readonly react: (
    channel: ChannelId,
    message: MessageId,
    emoji: string,
    on: boolean,
  ) => Promise<Result<void, Failure>>;
  /**
   * One's own message that still waits and that somebody is about to change or answer: from then on no other device's is it,
   * though it was the same draft ([OP18]). Once it has left, nothing is done.
   */
  readonly setApart: (channel: ChannelId, message: MessageId) => Promise<Result<void, Failure>>;
  readonly pin: (channel: ChannelId, message: MessageId, on: boolean) => Promise<Result<void, Failure>>;

  readonly createChannel: (form: {
    readonly name: string;
    readonly access: "public" | "private";
    readonly topic?: string;
    readonly members?: readonly UserId[];
  }) => Promise<Result<ChannelId, Failure>>;
  readonly renameChannel: (channel: ChannelId, name: string) => Promise<Result<void, Failure>>;
  readonly setTopic: (channel: ChannelId, topic: string) => Promise<Result<void, Failure>>;
  readonly archiveChannel: (channel: ChannelId, on: boolean) => Promise<Result<void, Failure>>;
  readonly joinChannel: (channel: ChannelId) => Promise<Result<void, Failure>>;
  readonly leaveChannel: (channel: ChannelId) => Promise<Result<void, Failure>>;
  readonly changeMembers: (
    channel: ChannelId,
    change: { readonly add?: readonly UserId[]; readonly remove?: readonly UserId[] },
  ) => Promise<Result<void, Failure>>;
  /** How a channel stands in one's own sidebar, and when it may notify. */
  readonly setPrefs: (
    channel: ChannelId,
    prefs: { readonly starred?: boolean; readonly muted?: boolean; readonly level?: Prefs["level"] },
  ) => Promise<Result<void, Failure>>;
  /** One's own; a status of null takes it away. */
  readonly updateProfile: (profile: OpArgs<"member.update">) => Promise<Result<void, Failure>>;
  readonly activate: (user: UserId, on: boolean) => Promise<Result<void, Failure>>;
  readonly setRole: (user: UserId, role: Role) => Promise<Result<void, Failure>>;

  /**
   * The place up to which I have read; goes out coalesced ([OP17]).
   * @param isLeftUnread it was marked unread while it was looked at: it is seen, and no more
   */
  readonly markRead: (channel: ChannelId, seq: number, isLeftUnread?: boolean) => void;
  /** Marks unread from this place on, and nothing read that was neither read nor seen before it. */
  readonly markUnread: (channel: ChannelId, seq: number) => void;
  /**
   * Stored on the device at once, synced every few seconds; resolves when it is on disk.
   * @param over what stood there as far as the writer saw, so that what was written elsewhere meanwhile stays
   */
  readonly setDraft: (
    channel: ChannelId,
    text: string,
    root?: MessageId,
    over?: MayStand,
  ) => Promise<Result<unknown, Failure>>;
  /** The text of a stored message as one types it: `@Name` for a mention, `@Name#1a2b3c` where others share the name. */
  readonly textToEdit: (text: string) => string;
  readonly typing: (channel: ChannelId) => void;

  /** A refused op again, with its text changed where it has one. */
  readonly retry: (op: OpId, text?: string) => Promise<Result<void, Failure>>;
  /**
   * Takes a refused or still open op out of the outbox.
   * @param into where its text goes: before what is being drafted in its channel
   */
  readonly discard: (op: OpId, into?: "draft") => Promise<Result<void, Failure>>;
  /** Posts a text that went with this device's data, as the message it was: it may have been delivered after all. */
  readonly postAgain: (lost: LostPost) => Promise<Result<void, Failure>>;
  /** Posts a refused text, or what is typed in its place by now, as a new message instead, elsewhere or where it was. */
  readonly moveTo: (op: OpId, channel: ChannelId, text?: string) => Promise<Result<void, Failure>>;
  /** A draft whose place can't be written in any more, into the composer of another channel, before what stands there. */
  readonly moveDraft: (from: DraftPlace, channel: ChannelId) => Promise<Result<void, Failure>>;

  /** What this device keeps; `false` where the browser was asked and said no. */
  readonly keep: (change: KeepChange) => Promise<Result<boolean, Failure>>;

  readonly invite: (form: { readonly role?: Role }) => Promise<Result<InvitationCreated, Failure>>;
  /** Which channel is on screen; its link comes first. Null for none. */
  readonly look: (channel: ChannelId | null) => void;
  readonly reconnect: () => void;
  /** Nothing is sent or fetched from now on, in no tab; or again. Survives a restart. */
  readonly workOffline: (on: boolean) => Promise<Result<void, Failure>>;
}

/** What was noted of a message that waited when the data went; its text as stored. */
export type LostPost = Pick<WaitingText, "channel" | "root" | "text" | "at"> & { readonly message: MessageId };

/** A message's stored text, and the rev it was shown at. */
export interface Seen {
  readonly rev: number;
  readonly text: string;
}

/**
 * What a person must know of this device's storage: it keeps nothing, its data was cleared while the app ran, it is so
 * short of space that history makes way, or so full that nothing can be stored (these two go when there is room again);
 * what is stored can't be read; its data was cleared between two visits, and what hadn't been sent with it.
 */
export type StorageNotice = "memory" | "wiped" | "short" | "full" | "broken" | "unsent-gone";

export interface UpdateSnapshot {
  readonly isReady: boolean;
  readonly isNeeded: boolean;
  readonly notice: StorageNotice | null;
}

export interface Client {
  readonly account: Account;
  /** By slug; null when this person isn't in it, as far as is known here. */
  readonly open: (slug: string) => WorkspaceClient | null;
  /** A newer build is waiting, or this one can't go on without it; `applyUpdate` reloads all tabs. */
  readonly update: View<UpdateSnapshot>;
  readonly applyUpdate: () => void;
}
