// What is committed while the index reads what it lacks.
import { expect, test } from "vitest";
import type { LiveMessage } from "#protocol/entities/message.ts";
import type { MessageId, UserId } from "#protocol/ids.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { emptyRoom } from "../../store/rooms.ts";
import type { RoomRecord } from "../../store/schema.ts";
import type { Coverage } from "./coverage.ts";
import { runOf } from "./fold.ts";
import { createIndexer } from "./indexer.ts";
import { docOf, EVERYTHING } from "./query.ts";
import type { Reader } from "./reader.ts";
import { SearchIndex } from "./search-index.ts";

const ROOM = "channel:w_a" as RoomName;

function message(seq: number, text: string, createdAt: number): LiveMessage {
  const id = `m${createdAt}` as MessageId;
  return { kind: "message", id, rev: seq, seq, author: "u" as UserId, createdAt, text };
}

function roomOf(epoch: string, lastSeq: number): RoomRecord {
  const ranges = [{ from: 1, to: null }];
  return { ...emptyRoom(ROOM), epoch, lastSeq, cursor: lastSeq, head: lastSeq, heldCount: lastSeq, ranges };
}

test("[SV4] what is posted while a history is read that took another's place stands alone in its place", async () => {
  const index = new SearchIndex();
  for (const old of [message(1, "dock", 1), message(2, "old crane", 2)]) index.put(docOf(ROOM, old)!);
  index.flush();
  const posted = message(2, "new crane", 9);
  const record = roomOf("f", 1);
  const reader: Partial<Reader> = {
    rooms: async () => [record],
    between: async () => {
      indexer.hear([
        { table: "messages", put: { room: ROOM, message: posted } },
        { table: "rooms", put: roomOf("f", 2) },
      ]);
      return [message(1, "dock", 1)];
    },
  };
  // Stored before it was read through, the index doesn't know what it covers.
  const covered = new Map<RoomName, Coverage>();
  const indexer = createIndexer({ reader: reader as Reader, index, covered, changed: () => undefined });
  await indexer.catchUp();
  const clauses = [{ isExcluded: false, ways: [runOf("crane", true)!] }];
  const asked = { query: { ...EVERYTHING, clauses }, order: "newest", limit: 9, now: 10 } as const;
  expect(index.find(asked, () => true)).toMatchObject({ total: 1, places: [{ seq: 2 }] });
  expect(index.extent(() => true)).toMatchObject({ count: 2 });
});
