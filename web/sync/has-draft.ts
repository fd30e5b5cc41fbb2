// Whether something stands in a channel's composer, as far as this device knows; it may, where it doesn't know yet.
import type { ChannelId, UserId } from "#protocol/ids.ts";
import { parseRoomName } from "#protocol/room-name.ts";
import type { Store } from "../store/store.ts";
import { draftStanding } from "./draft-commands.ts";

/** In whichever workspace the channel is. */
export function hasDraft(store: Store, me: UserId, channel: ChannelId): Promise<boolean> {
  return store.read(["rooms", "outbox", "drafts", "entities"], async (tx) => {
    const rooms = await tx.all("rooms");
    // What there is comes from the rooms of a person who was signed out meanwhile.
    if (rooms.length === 0) return true;
    for (const { name } of rooms) {
      const ref = parseRoomName(name);
      if (ref?.party !== "workspace") continue;
      const { shown } = await draftStanding(tx, { workspace: ref.workspace, me }, { channel });
      if (shown !== "") return true;
    }
    return false;
  });
}
