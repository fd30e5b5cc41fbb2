// Read positions: stored at once, and held in the outbox a while so that the next one replaces them.
import { myStateId } from "#protocol/entities/keys.ts";
import type { Failure } from "#protocol/errors.ts";
import type { ChannelId } from "#protocol/ids.ts";
import { READ_EVERY_MS } from "#protocol/limits.ts";
import { ok, type Result } from "#protocol/result.ts";
import { isJoined, readSeq } from "../store/channels-view.ts";
import { readEntity } from "../store/entities.ts";
import { putOp, removeOp } from "../store/outbox.ts";
import { roomOf } from "../store/replica.ts";
import { heardTo, workspaceRoom } from "../store/rooms.ts";
import type { CommandDeps } from "./commands.ts";
import { queued } from "./draft-commands.ts";

/** Nobody waits for these: what can't be stored is reported, and the next look tries again. */
export interface ReadCommands {
  readonly markRead: (channel: ChannelId, seq: number, isLeftUnread?: boolean) => Promise<Result<void, Failure>>;
  readonly markUnread: (channel: ChannelId, seq: number) => Promise<Result<void, Failure>>;
}

export function readCommands({ replica, ports, writer }: CommandDeps): ReadCommands {
  const directory = workspaceRoom(replica.workspace);
  /** Channel → when a read position last went out from this tab. */
  const readAt = new Map<ChannelId, number>();
  /** Channel → the place up to which this tab showed it, which may have been left unread. */
  const seen = new Map<ChannelId, number>();

  const setRead = (channel: ChannelId, to: number, unread: boolean): Promise<Result<void, Failure>> => {
    const key = { kind: "read", id: myStateId(replica.me, channel) } as const;
    const now = ports.now();
    const waitMs = unread ? 0 : (readAt.get(channel) ?? 0) + READ_EVERY_MS - now;
    // A clock that was turned back makes nobody wait longer.
    const dueAt = now + Math.min(READ_EVERY_MS, Math.max(0, waitMs));
    const written = writer.write("relaxed", async (tx) => {
      const { open, sent } = await queued(tx, directory, "read.set", { channel });
      // Of the disk: the replica may not have heard yet of the last answer.
      const confirmed = (await readEntity(tx, directory, key))?.entity;
      const stands = confirmed?.kind === "read" ? confirmed : undefined;
      const room = roomOf(replica, channel);
      const epoch = room?.epoch;
      const known = (sent.at(-1)?.args ?? stands)?.seq ?? 0;
      // What one was led past, and what isn't here, was unread before, and is.
      const here = Math.min(seen.get(channel) ?? 0, room === undefined ? 0 : heardTo(room));
      const seq = unread ? Math.min(to, Math.max(here, open?.args.seq ?? known)) : to;
      // Of what was marked unread here only a part was read: the rest still is, by the mark that was made then.
      const mark = !unread && open?.args.unread === true && seq < known ? open.args : undefined;
      const isUnread = unread || mark !== undefined;
      const base = mark?.base ?? stands?.rev ?? 0;
      const args = { channel, seq, base, ...(epoch ? { epoch } : {}), ...(isUnread ? { unread: true } : {}) };
      // Marked unread, and read again before anybody else knew of it.
      if (!isUnread && seq <= known) {
        if (open !== undefined) removeOp(tx, open);
      } else if (open === undefined) {
        await writer.append(tx, directory, { op: "read.set", args }, { dueAt });
        readAt.set(channel, dueAt);
      }
      // In its place, and no later than it was due; another tab may have read on.
      else if (unread || seq > open.args.seq) putOp(tx, { ...open, op: "read.set", args });
    });
    return written.catch((error: unknown) => {
      ports.report(error);
      return ok(undefined);
    });
  };

  return {
    markRead: async (channel, seq, isLeftUnread) => {
      const isNews = replica.isLoaded() && isJoined(replica, channel) && seq > readSeq(replica, channel);
      seen.set(channel, seq);
      return isNews && !isLeftUnread ? setRead(channel, seq, false) : ok(undefined);
    },
    markUnread: (channel, seq) => setRead(channel, seq - 1, true),
  };
}
