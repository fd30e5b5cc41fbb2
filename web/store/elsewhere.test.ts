// What is counted of other workspaces, as it comes and goes in whichever tab.
import "fake-indexeddb/auto";
import type { Entity } from "#protocol/entities/entity.ts";
import { membershipId, myStateId } from "#protocol/entities/keys.ts";
import type { ChannelId, OpId, UserId, WorkspaceId } from "#protocol/ids.ts";
import { expect, test } from "vitest";
import { createProfile } from "../test/node-ports.ts";
import { putDraft } from "./drafts.ts";
import { elsewhereView, withElsewhere } from "./elsewhere.ts";
import { putEntity } from "./put-entities.ts";
import { openStore } from "./open-store.ts";
import { appendOp, readOp, removeOp } from "./outbox.ts";
import { refuseOp } from "./outbox-course.ts";
import { NOTHING_ELSEWHERE, type Elsewhere } from "./read-elsewhere.ts";
import { channelRoom, emptyRoom, workspaceRoom } from "./rooms.ts";
import type { OutboxSnapshot } from "./snapshots.ts";
import { cell, signal } from "./source.ts";
import type { Store } from "./store.ts";
import type { WriteTx } from "./tx.ts";
import type { Loaded } from "./view.ts";

const [HERE, THERE] = ["w-here", "w-there"] as [WorkspaceId, WorkspaceId];
const GENERAL = "general" as ChannelId;
const ME = "olga" as UserId;
const NOTHING: OutboxSnapshot = {
  items: [],
  drafts: [],
  elsewhere: [],
  waitingCount: 0,
  refusedCount: 0,
  draftCount: 0,
  isWhole: true,
};

interface Looking {
  readonly store: Store;
  readonly write: (body: (tx: WriteTx) => Promise<unknown>) => Promise<unknown>;
  /** What is said of other workspaces in this one. */
  readonly said: () => OutboxSnapshot["elsewhere"];
  /** Null while nobody can say. */
  readonly channels: () => readonly ChannelId[] | null;
  readonly counts: () => Pick<OutboxSnapshot, "waitingCount" | "refusedCount" | "draftCount">;
}

/** From a workspace where nothing waits. */
async function lookElsewhere(isIn: boolean, then: (looking: Looking) => Promise<void>): Promise<void> {
  const { ports } = createProfile({ origin: "http://test" }).openTab();
  const store = await openStore(ports.indexedDB, "causeway/test/me", ports.openBus("test"), () => undefined);
  const elsewhere = elsewhereView({
    store,
    replica: { workspace: HERE, me: ME, readings: signal() },
    report: (error) => expect.unreachable(String(error)),
  });
  const here = cell<Loaded<OutboxSnapshot>>({ state: "ready", value: NOTHING });
  const whole = withElsewhere(here, elsewhere, HERE, () => (isIn ? [HERE, THERE] : [HERE]));
  const snapshot = (): OutboxSnapshot => {
    const shown = whole.snapshot();
    return shown.state === "ready" ? shown.value : expect.unreachable("It was there already.");
  };
  const stop = whole.subscribe(() => undefined);
  await expect.poll(() => snapshot().isWhole).toBe(true);
  await then({
    store,
    write: (body) => store.write({ tables: ["outbox", "drafts", "entities", "rooms"], durability: "strict" }, body),
    said: () => snapshot().elsewhere,
    channels: () => {
      const { channelsElsewhere } = snapshot();
      return channelsElsewhere == null ? null : [...channelsElsewhere.keys()];
    },
    counts: () => {
      const { waitingCount, refusedCount, draftCount } = snapshot();
      return { waitingCount, refusedCount, draftCount };
    },
  });
  stop();
  store.close();
}

test("counts what waits and was refused in other workspaces, and follows it", async () => {
  await lookElsewhere(true, async ({ write, said }) => {
    const post = (id: string, workspace: WorkspaceId): Promise<unknown> =>
      write((tx) =>
        appendOp(tx, {
          room: channelRoom(workspace, GENERAL),
          id: id as OpId,
          op: "channel.join",
          args: { id: GENERAL },
          at: 1,
        }),
      );
    await post("a", THERE);
    await expect.poll(said).toEqual([{ workspace: THERE, waitingCount: 1, refusedCount: 0, draftCount: 0 }]);
    await post("b", THERE);
    await post("c", HERE);
    await expect.poll(said).toEqual([{ workspace: THERE, waitingCount: 2, refusedCount: 0, draftCount: 0 }]);
    await write(async (tx) => {
      const op = await readOp(tx, "a" as OpId);
      if (op !== undefined) refuseOp(tx, op, { code: "archived", detail: "#docks is archived." });
    });
    await expect.poll(said).toEqual([{ workspace: THERE, waitingCount: 1, refusedCount: 1, draftCount: 0 }]);
    for (const id of ["a", "b"]) {
      await write(async (tx) => {
        const op = await readOp(tx, id as OpId);
        if (op !== undefined) removeOp(tx, op);
      });
    }
    await expect.poll(said).toEqual([]);
  });
});

test.each([
  [true, [GENERAL]],
  [false, []],
])(
  "which channels are in sight elsewhere is known, and followed, where one is in that workspace: %s",
  async (isIn, seen) => {
    await lookElsewhere(isIn, async ({ write, channels }) => {
      // Of a directory that isn't here nobody knows what it will bring.
      expect(channels()).toEqual(isIn ? null : []);
      await write(async (tx) => {
        tx.put("rooms", ALL_OF_IT);
        await stored(tx, channel());
      });
      await expect.poll(channels).toEqual(seen);
      await write((tx) => stored(tx, channel({ rev: 2, deleted: true })));
      await expect.poll(channels).toEqual([]);
    });
  },
);

test("what is here is said at once, and that it is all once the others were read", () => {
  const elsewhere = cell<Elsewhere | null>(null);
  const item = {} as OutboxSnapshot["items"][number];
  const here = cell<Loaded<OutboxSnapshot>>({ state: "ready", value: { ...NOTHING, items: [item], waitingCount: 1 } });
  const whole = withElsewhere(here, elsewhere, HERE, () => [HERE, THERE]);
  expect(whole.snapshot()).toMatchObject({ value: { items: [item], waitingCount: 1, isWhole: false } });
  elsewhere.set(NOTHING_ELSEWHERE);
  expect(whole.snapshot()).toMatchObject({ value: { items: [item], waitingCount: 1, isWhole: true } });
});

const DIRECTORY = workspaceRoom(THERE);
const ALL_OF_IT = { ...emptyRoom(DIRECTORY), cursor: 9 };

function channel(more: object = {}): Entity {
  return { kind: "channel", id: GENERAL, rev: 1, access: "public", name: "general", ...more } as Entity;
}

function membership(more: object = {}): Entity {
  return { kind: "membership", id: membershipId(GENERAL, ME), rev: 1, channel: GENERAL, user: ME, ...more } as Entity;
}

function draft(rev: number, text: string): Entity {
  return { kind: "draft", id: myStateId(ME, GENERAL), rev, channel: GENERAL, text } as Entity;
}

const stored = async (tx: WriteTx, ...entities: readonly Entity[]): Promise<void> => {
  tx.put("rooms", ALL_OF_IT);
  for (const entity of entities) await putEntity(tx, DIRECTORY, 0, entity);
};

const ONE_DRAFT = [{ workspace: THERE, waitingCount: 0, refusedCount: 1, draftCount: 1 }];

test.each<[string, (tx: WriteTx) => Promise<unknown>]>([
  ["whose channel was archived", (tx) => stored(tx, channel({ rev: 2, archivedAt: 5 }))],
  ["whose channel was left", (tx) => stored(tx, membership({ rev: 2, deleted: true }))],
  ["where only administrators post by now", (tx) => stored(tx, channel({ rev: 2, posting: "admins" }))],
])(
  "a draft in another workspace that has no composer any more is counted with what was refused: %s",
  async (_, close) => {
    await lookElsewhere(true, async ({ write, said, counts }) => {
      const self = { kind: "member", id: ME, rev: 1, role: "member", name: "Olga" } as Entity;
      await write((tx) => stored(tx, channel(), membership(), self, draft(1, "Half of it")));
      await write(close);
      await expect.poll(said).toEqual(ONE_DRAFT);
      expect(counts()).toEqual({ waitingCount: 0, refusedCount: 1, draftCount: 1 });
      await write((tx) => stored(tx, draft(2, "")));
      await expect.poll(said).toEqual([]);
    });
  },
);

test.each<[string, (tx: WriteTx) => Promise<unknown>]>([
  [
    "too long to be synced",
    async (tx) => putDraft(tx, { workspace: THERE, channel: GENERAL, root: "", text: "Half of it", at: 1 }),
  ],
  [
    "still on its way",
    (tx) =>
      appendOp(tx, {
        room: DIRECTORY,
        id: "d" as OpId,
        op: "draft.set",
        args: { channel: GENERAL, text: "Half of it" },
        at: 1,
      }),
  ],
])("such a draft is counted where it is %s", async (_, write) => {
  await lookElsewhere(true, async (looking) => {
    await looking.write(write);
    await looking.write((tx) => stored(tx, channel({ archivedAt: 5 }), membership()));
    await expect.poll(looking.said).toEqual(ONE_DRAFT);
  });
});

test("a draft that has its composer isn't, nor is one of which nobody can say while the directory comes", async () => {
  await lookElsewhere(true, async ({ write, said, store }) => {
    await write(async (tx) => {
      await stored(tx, channel({ archivedAt: 5 }), membership(), draft(1, "Half of it"));
      tx.put("rooms", { ...ALL_OF_IT, isSweeping: true });
    });
    await store.read(["rooms"], (tx) => tx.all("rooms"));
    expect(said()).toEqual([]);
    await write(async (tx) => tx.put("rooms", ALL_OF_IT));
    await expect.poll(said).toEqual(ONE_DRAFT);
    await write((tx) => stored(tx, channel({ rev: 2 })));
    await expect.poll(said).toEqual([]);
  });
});

test("in a workspace that the person isn't in any more every draft is said, and counted nowhere else", async () => {
  await lookElsewhere(false, async ({ write, said, counts }) => {
    await write((tx) => stored(tx, channel(), membership(), draft(1, "Half of it")));
    await expect.poll(said).toEqual(ONE_DRAFT);
    expect(counts()).toEqual({ waitingCount: 0, refusedCount: 0, draftCount: 0 });
  });
});
