// Why a room doesn't let one in, in that room's words: the workspace's own says it as a channel's does.
import { parseRoomName } from "#protocol/room-name.ts";
import type { RoomStatus } from "../../store/snapshots.ts";
import { outboxSays } from "../../ui/strings-outbox.ts";
import { isSaidOfChannel } from "../refusal-reason.ts";

export function reasonOfRoom({ name, detail }: Pick<RoomStatus, "name" | "detail">): string | undefined {
  return isSaidOfChannel(detail) && parseRoomName(name)?.party === "workspace" ? outboxSays.shutOut : detail;
}
