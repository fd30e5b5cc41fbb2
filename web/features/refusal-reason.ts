// Why something was refused, in a sentence that is true now: what stood in the way may be past.
import { failure } from "#protocol/errors.ts";
import type { ChannelRow, ConnectionSnapshot, OutboxItem } from "../store/snapshots.ts";
import { outboxSays as says } from "../ui/strings-outbox.ts";
import { usePlace, useView } from "./services.ts";

type Refused = Pick<OutboxItem, "channel" | "isReasonPast"> & {
  readonly change: Pick<OutboxItem["change"], "op">;
  readonly refusal: NonNullable<OutboxItem["refusal"]>;
};

/** The catalogue says it of a channel, whatever it is that one isn't let into. */
export function isSaidOfChannel(detail: string | undefined): boolean {
  return detail === failure("forbidden").detail;
}

/** @param rows the channels in sight */
export function reasonOf(
  { channel, change, refusal, isReasonPast }: Refused,
  rows: readonly Pick<ChannelRow, "id" | "isJoined">[],
  { state }: Pick<ConnectionSnapshot, "state">,
): string {
  if (isReasonPast === true) return says.openAgain;
  if (!isSaidOfChannel(refusal.detail)) return refusal.detail;
  const isOfChannel = change.op.startsWith("message.");
  // Else it may only not be known here yet that one isn't let in.
  const isIn = state === "live" && (!isOfChannel || rows.some(({ id, isJoined }) => id === channel && isJoined));
  if (isIn) return says.inAgain;
  return isOfChannel ? refusal.detail : says.shutOut;
}

export function useReason(): (refused: Refused) => string {
  const { client } = usePlace();
  const channels = useView(client.channels);
  const connection = useView(client.connection);
  return (refused) => reasonOf(refused, channels.state === "ready" ? channels.value.channels : [], connection);
}
