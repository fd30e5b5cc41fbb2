// What a link greets its room with: who asks, and from where it goes on.
import type { DeviceId } from "#protocol/ids.ts";
import type { Hello } from "#protocol/frames/hello.ts";
import { NEWEST_DEFAULT } from "#protocol/limits.ts";
import { PROTOCOL_VERSION } from "#protocol/version.ts";
import { isBegun } from "../store/rooms.ts";
import type { RoomRecord } from "../store/schema.ts";

interface Greeting {
  readonly token: string;
  readonly device: DeviceId;
  /** How large the page that follows may be. */
  readonly bytes: number;
  /** As if nothing were held. */
  readonly startsOver: boolean;
}

export function helloFrame(room: RoomRecord, { token, device, bytes, startsOver }: Greeting): Hello {
  const { cursor, epoch, heads } = room;
  const isKnown = cursor !== null && isBegun(room) && !startsOver;
  return {
    t: "hello",
    v: PROTOCOL_VERSION,
    token,
    device,
    since: isKnown ? cursor : null,
    ...(isKnown && epoch !== null ? { epoch } : {}),
    newest: NEWEST_DEFAULT,
    bytes,
    heads,
  };
}
