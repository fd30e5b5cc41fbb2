// A channel's room whose storage was taken back, in workerd: what the platform's recovery does is done by hand here, since
// it isn't there in development.
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { uuidv7 } from "uuidv7";
import type { Entity } from "#protocol/entities/entity.ts";
import { addMember, join, makeWorkspace, objectOf, post, serviceCall, type Place } from "../test/rig.ts";

let place: Place;

beforeAll(async () => {
  place = await makeWorkspace();
}, 30_000);

function rowsOf(): Promise<Map<string, unknown>> {
  return runInDurableObject(objectOf(place.general), (_room, { storage }) => storage.list());
}

async function turnBack(rows: ReadonlyMap<string, unknown>): Promise<void> {
  await runInDurableObject(objectOf(place.general), async (_room, { storage }) => {
    await storage.deleteAll();
    for (const [key, value] of rows) await storage.put(key, value);
  });
  await evictDurableObject(objectOf(place.general), { webSockets: "hibernate" });
}

const isReadTo =
  (seq: number) =>
  ({ entities }: { entities: readonly Entity[] }): boolean =>
    entities.some((entity) => entity.kind === "read" && entity.channel === place.general.channel && entity.seq === seq);

describe("[SV4] a restored channel's room in workerd", () => {
  it("begins anew with everybody in it, and the workspace's room tells where it stands and who has read what", async () => {
    const mara = await addMember(place);
    const directory = await join(mara, place.workspace);
    const olga = await join(place.owner, place.general);
    olga.client.send(post(1, "Kept"));
    const { entities } = await olga.client.next("ack", ({ n }) => n === 1);
    const kept = entities.find((entity) => entity.kind === "message")?.seq ?? 0;
    const rows = await rowsOf();
    for (const n of [2, 3, 4]) olga.client.send(post(n, `Gone ${n}`));
    const { rev } = await olga.client.next("ack", ({ n }) => n === 4);
    const { channel } = place.general;
    const of = (frame: { kind: string }): boolean => "channel" in frame && frame.channel === channel;
    await directory.client.next("signal", (frame) => of(frame) && "seq" in frame && frame.seq === kept + 3);
    const read = { t: "op", n: 1, id: uuidv7(), op: "read.set", at: Date.now() };
    directory.client.send({ ...read, args: { channel, seq: kept + 3, base: 0, epoch: olga.welcome.epoch } });
    await directory.client.next("ack");

    await turnBack(rows);
    const epoch = uuidv7();
    const told = await serviceCall(place.general, "POST", "restored", { epoch });
    expect(told).toMatchObject({ status: 200, body: { seq: kept } });
    expect((await olga.client.close()).code).toBe(1012);
    const bump = await directory.client.next("signal", (frame) => of(frame) && "restored" in frame);
    expect(bump).toMatchObject({ seq: kept, restored: { epoch, seq: kept } });
    await directory.client.next("changes", isReadTo(kept));

    const again = await join(place.owner, place.general, { since: rev, epoch: olga.welcome.epoch });
    expect(again.first).toMatchObject({ t: "snapshot", epoch, reset: true });
    expect(JSON.stringify(again.first)).not.toContain("Gone");
    expect((await serviceCall(place.general, "POST", "restored", { epoch })).status).toBe(200);
    again.client.send(post(1, "New"));
    expect((await again.client.next("ack")).entities).toMatchObject([{ kind: "message", seq: kept + 1 }]);
    expect(again.client.closed).toBeNull();
  }, 60_000);
});
