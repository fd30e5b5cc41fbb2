// The record of table `meta` that holds a copy of what composers and editors hold beside the database.
import type { ChannelId, UserId } from "#protocol/ids.ts";
import { parseRoomName } from "#protocol/room-name.ts";
import type { Beside } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { ReadTx } from "../store/tx.ts";
import { draftStanding } from "./draft-commands.ts";
import type { BesideDisk } from "./ports.ts";

export function besideDisk(store: Store, me: UserId): BesideDisk {
  return {
    read: () => store.read(["meta"], readBeside),
    write: (beside) =>
      store.write({ tables: ["meta"], durability: "relaxed" }, async (tx) => {
        const known = await readBeside(tx);
        if (known !== null && known.version >= beside.version) return known.version;
        tx.put("meta", { key: "beside", beside });
        return null;
      }),
    hasDraft: (channel) => store.read(["rooms", "outbox", "drafts", "entities"], (tx) => hasDraft(tx, me, channel)),
  };
}

async function readBeside(tx: ReadTx): Promise<Beside | null> {
  const record = await tx.get("meta", "beside");
  return record?.key === "beside" ? record.beside : null;
}

async function hasDraft(tx: ReadTx, me: UserId, channel: ChannelId): Promise<boolean> {
  for (const { name } of await tx.all("rooms")) {
    const ref = parseRoomName(name);
    if (ref?.party !== "workspace") continue;
    const { shown } = await draftStanding(tx, { workspace: ref.workspace, me }, { channel });
    if (shown !== "") return true;
  }
  return false;
}
