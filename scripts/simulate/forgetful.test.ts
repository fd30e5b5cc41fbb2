import { describe, expect, test } from "vitest";
import type { DownFrame } from "#protocol/down.ts";
import type { DeviceId, OpId } from "#protocol/ids.ts";
import { Forgetful, type ForgetfulRoom } from "./forgetful.ts";
import { seeded } from "../../web/test/sim/seeded.ts";

const op = (n: number) => ({
  t: "op" as const,
  n,
  id: `op-${n}` as OpId,
  op: "message.post",
  args: { id: `m-${n}`, text: "x" },
  at: 0,
});
const hello = { t: "hello" as const, v: 1, token: "t", device: "d" as DeviceId, since: null, newest: 100 };
const welcome = { t: "welcome", lastN: 0 } as DownFrame;

function connection(room: ForgetfulRoom, originals = new Map<string, string>()) {
  return new Forgetful({ room, originals, random: seeded(3) });
}

const fresh = (): ForgetfulRoom => ({ sent: new Set(), answered: 0 });

describe("the client that forgets", () => {
  test("is another device on each connection", () => {
    const [first] = connection(fresh()).up(hello);
    const [second] = connection(fresh()).up(hello);
    expect(first).toMatchObject({ t: "hello", since: null });
    expect(first).not.toEqual(second);
    expect(first).not.toEqual(hello);
  });

  test("sends a first time as it is, counting from 1, and hands answers back under the client's numbers", () => {
    const link = connection(fresh());
    expect(link.up(op(7))).toEqual([{ ...op(7), n: 1 }]);
    expect(link.down({ t: "ack", n: 1, rev: 5, entities: [] })).toMatchObject({ n: 7, rev: 5 });
  });

  test("sends again as new messages, in another order, and remembers what they are copies of", () => {
    const room = fresh();
    const before = connection(room);
    for (const n of [1, 2, 3, 4]) before.up(op(n));
    const originals = new Map<string, string>();
    const link = connection(room, originals);
    link.down(welcome);
    for (const n of [1, 2, 3, 4]) expect(link.up(op(n))).toEqual([]);
    const again = link.release().flatMap((frame) => (frame.t === "op" ? [frame] : []));
    expect(again.map(({ n }) => n)).toEqual([1, 2, 3, 4]);
    const order = again.map(({ args }) => originals.get((args as { id: string }).id));
    const written = ["m-1", "m-2", "m-3", "m-4"];
    expect(new Set(order)).toEqual(new Set(written));
    expect(order).not.toEqual(written);
    expect(link.up(op(5))).toEqual([op(5)]);
  });

  test("lets the client believe that the room knows it", () => {
    const room = fresh();
    const link = connection(room);
    link.up(op(1));
    link.up(op(2));
    link.down({ t: "ack", n: 2, rev: 1, entities: [] });
    expect(connection(room).down(welcome)).toMatchObject({ lastN: 2 });
  });

  test("goes back to the number that the room expects after a held refusal", () => {
    const link = connection(fresh());
    for (const n of [11, 12, 13]) link.up(op(n));
    const held = { t: "refuse", n: 2, code: "rate_limited", detail: "", held: true, retryAfter: 1 } as const;
    expect(link.down(held)).toMatchObject({ n: 12, held: true });
    expect(link.up(op(12))).toMatchObject([{ n: 2 }]);
  });
});
