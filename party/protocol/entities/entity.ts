// The union of what rooms keep, and lists of it as they come over the wire.
import * as v from "valibot";
import type { channel } from "./channel.ts";
import { channelTombstone, liveChannel } from "./channel.ts";
import { member, type Member } from "./member.ts";
import { liveMembership, membershipTombstone, type Membership } from "./membership.ts";
import { liveMessage, messageTombstone, type Message } from "./message.ts";
import { draftTombstone, liveDraft, prefs, read, type Draft, type Prefs, type Read } from "./my-state.ts";
import { workspace, type Workspace } from "./workspace.ts";

export const entity = v.variant("kind", [
  messageTombstone,
  liveMessage,
  workspace,
  member,
  channelTombstone,
  liveChannel,
  membershipTombstone,
  liveMembership,
  read,
  prefs,
  draftTombstone,
  liveDraft,
]);
export type Entity = v.InferOutput<typeof entity>;
export type Kind = Entity["kind"];

/** kind → its type */
export interface Entities {
  readonly message: Message;
  readonly workspace: Workspace;
  readonly member: Member;
  readonly channel: v.InferOutput<typeof channel>;
  readonly membership: Membership;
  readonly read: Read;
  readonly prefs: Prefs;
  readonly draft: Draft;
}

/** An entity before the room has stamped it. */
export type Unstamped<E extends Entity = Entity> = E extends Entity ? Omit<E, "rev"> : never;

const KINDS: readonly string[] = [
  "message",
  "workspace",
  "member",
  "channel",
  "membership",
  "read",
  "prefs",
  "draft",
] satisfies readonly Kind[];

const anyEntity = v.looseObject({ kind: v.string() });

/** Entities as received: kinds that this version doesn't know are left out, so a newer room may add some. */
export const entityList = v.pipe(
  v.array(anyEntity),
  v.transform((list): unknown[] => list.filter(({ kind }) => KINDS.includes(kind))),
  v.array(entity),
);

export interface EntityKey<K extends Kind = Kind> {
  readonly kind: K;
  readonly id: string;
}

export function isTombstone(of: Unstamped | Entity): boolean {
  return "deleted" in of && of.deleted;
}
