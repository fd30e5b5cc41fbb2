// What the person decides about this device: how much history it keeps, that it fills now, that the browser protects it.
import type { Failure } from "#protocol/errors.ts";
import { ok, type Result } from "#protocol/result.ts";
import { putKeep, readKeep, type Keep } from "../store/keep.ts";
import { channelRoom } from "../store/rooms.ts";
import type { Commands, KeepChange } from "./client.ts";
import type { CommandDeps } from "./commands.ts";

export function keepCommand({ replica, writer, ports, tab }: CommandDeps): Commands["keep"] {
  const change = async (next: (keep: Keep) => Keep): Promise<Result<boolean, Failure>> => {
    const written = await writer.write("relaxed", async (tx) => putKeep(tx, next(await readKeep(tx))), ["meta"]);
    return written.ok ? ok(true) : written;
  };

  return async (asked: KeepChange) => {
    switch (asked.do) {
      case "limit":
        return change((keep) => ({ ...keep, ...asked.to }));
      case "limit-channel":
        return change((keep) => {
          const room = channelRoom(replica.workspace, asked.channel);
          const { [room]: _was, ...others } = keep.rooms;
          return { ...keep, rooms: { ...others, ...(asked.days === undefined ? {} : { [room]: asked.days }) } };
        });
      case "fill-now":
        tab.send({ type: "fill-now" });
        return ok(true);
      case "protect":
        return ok((await ports.storage?.persist?.()) === true);
    }
  };
}
