// A draft that is sent on one device without a network, and from another one that still shows it, is one message.
import { myStateId } from "#protocol/entities/keys.ts";
import type { ChannelId, MessageId } from "#protocol/ids.ts";
import type { Replica } from "../store/replica.ts";
import type { OutboxRecord } from "../store/schema.ts";
import { uuidv7 } from "./uuid.ts";

/**
 * Of the message that a channel's draft becomes, whichever of the person's devices sends it: all that show the draft as the
 * room confirmed it know its rev, and the room takes an id once ([OP14]). `at` makes it nobody's to guess. Null where the
 * text isn't what stands there, or something else is on its way.
 */
export function sharedId(replica: Replica, channel: ChannelId, text: string): MessageId | null {
  const draft = replica.confirmed("draft", myStateId(replica.me, channel));
  if (draft === undefined || draft.deleted || draft.text !== text) return null;
  const isOnItsWay = ({ op, args }: OutboxRecord): boolean => op === "draft.set" && args.channel === channel;
  if (replica.outbox().some(isOnItsWay)) return null;
  return uuidv7(draft.at, bytesOf(draft.rev)) as MessageId;
}

/** Ten, the lowest last. */
const bytesOf = (rev: number): number[] => Array.from({ length: 10 }, (_, at) => (rev / 256 ** (9 - at)) & 255);
