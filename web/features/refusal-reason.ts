// Why something was refused, in a sentence that is true now: what stood in the way may be past.
import { failure, type ErrorCode } from "#protocol/errors.ts";
import type { ChannelRow, ConnectionSnapshot, OutboxItem } from "../store/snapshots.ts";
import { outboxSays as says } from "../ui/strings-outbox.ts";
import { usePlace, useView } from "./services.ts";

type Refused = Pick<OutboxItem, "channel" | "change" | "isReasonPast"> & {
  readonly refusal: NonNullable<OutboxItem["refusal"]>;
};

/** The catalogue says it of a channel, whatever it is that one isn't let into. */
export function isSaidOfChannel(detail: string | undefined): boolean {
  return detail === failure("forbidden").detail;
}

interface Known {
  readonly state: ConnectionSnapshot["state"];
  /** Why the workspace doesn't let one in. */
  readonly code?: ErrorCode;
}

/** @param rows the channels in sight */
export function reasonOf(
  { channel, change, refusal, isReasonPast }: Refused,
  rows: readonly Pick<ChannelRow, "id" | "name" | "access" | "isJoined">[],
  { state, code }: Known,
): string {
  if (refusal.code === "name_taken" && state === "live" && isNameFree(change, rows)) return says.nameFree;
  if (!isSaidOfChannel(refusal.detail)) {
    // Whether it still is, nobody here knows just now.
    if (state !== "live" && refusal.code === "archived") return says.archivedThen;
    if (isReasonPast !== true) return refusal.detail;
    if (refusal.code === "archived") return says.openAgain;
    return change.op === "message.post" ? says.mayPostNow : says.mayNow;
  }
  const isOfChannel = change.op.startsWith("message.");
  // Else it may only not be known here yet that one isn't let in.
  const isIn = state === "live" && (!isOfChannel || rows.some(({ id, isJoined }) => id === channel && isJoined));
  if (isIn) return says.inAgain;
  return isOfChannel && code !== "forbidden" ? refusal.detail : says.shutOut;
}

/** As far as is known here: a channel of others may be out of sight, but its name takes nobody else's. */
function isNameFree({ args }: OutboxItem["change"], rows: Parameters<typeof reasonOf>[1]): boolean {
  if (!("id" in args && "name" in args)) return false;
  const isTaken = rows.some(
    ({ id, name, access, isJoined }) =>
      name === args.name && id !== args.id && (access === "public" || (access === "private" && isJoined)),
  );
  return !isTaken;
}

export function useReason(): (refused: Refused) => string {
  const { client } = usePlace();
  const channels = useView(client.channels);
  const connection = useView(client.connection);
  return (refused) => reasonOf(refused, channels.state === "ready" ? channels.value.channels : [], connection);
}
