// A room's name as it comes over the wire.
import * as v from "valibot";
import { parseRoomName, type RoomName } from "./room-name.ts";

export const roomName: v.GenericSchema<string, RoomName> = v.pipe(
  v.string(),
  v.check((name) => parseRoomName(name) !== null, "is not the name of a room"),
  v.transform((name) => name as RoomName),
);
