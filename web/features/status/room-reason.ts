// Why a room doesn't let one in, in that room's words: the workspace's own says it as a channel's does.
import { failure } from "#protocol/errors.ts";
import { parseRoomName } from "#protocol/room-name.ts";
import type { RoomStatus } from "../../store/snapshots.ts";
import { outboxSays } from "../../ui/strings-outbox.ts";

export function reasonOfRoom({ name, detail }: Pick<RoomStatus, "name" | "detail">): string | undefined {
  const isSaidAsOfChannel = detail === failure("forbidden").detail && parseRoomName(name)?.party === "workspace";
  return isSaidAsOfChannel ? outboxSays.shutOut : detail;
}
