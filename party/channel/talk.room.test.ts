// A channel's room in workerd: real sockets, real storage, real hibernation.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { uuidv7 } from "uuidv7";
import type { Entity } from "#protocol/entities/entity.ts";
import {
  addMember,
  authorized,
  Client,
  join,
  makeWorkspace,
  objectOf,
  post,
  serviceCall,
  type Place,
} from "../test/rig.ts";

let place: Place;

beforeAll(async () => {
  place = await makeWorkspace();
}, 30_000);

const saying =
  (text: string) =>
  ({ entities }: { entities: readonly Entity[] }): boolean =>
    entities.some((entity) => "text" in entity && entity.text === text);

describe("a channel's room in workerd", () => {
  it("brings what one says to the other: hello, snapshot, op, ack, changes", async () => {
    const mara = await join(await addMember(place), place.general);
    const olga = await join(place.owner, place.general);
    expect(mara.first.t).toBe("snapshot");
    olga.client.send(post(1, "Hello"));
    const ack = await olga.client.next("ack");
    expect(ack.entities).toMatchObject([{ kind: "message", text: "Hello", author: place.owner }]);
    const changes = await mara.client.next("changes", saying("Hello"));
    expect(changes.to).toBe(ack.rev);
  });

  it("[OP1] goes on after hibernation: same sockets, numbers and places, everybody still told", async () => {
    const mara = await join(await addMember(place), place.general);
    const olga = await join(place.owner, place.general);
    const first = post(1, "Before the night");
    olga.client.send(first);
    const before = await olga.client.next("ack");
    await mara.client.next("changes", saying("Before the night"));
    for (let night = 1; night <= 3; night += 1) {
      await evictDurableObject(objectOf(place.general), { webSockets: "hibernate" });
      olga.client.send(first);
      expect(await olga.client.next("ack")).toMatchObject({ n: 1, rev: null });
      olga.client.send(post(night + 1, `Morning ${night}`));
      const after = await olga.client.next("ack", ({ n }) => n === night + 1);
      expect(after.rev).toBeGreaterThan(before.rev ?? 0);
      await mara.client.next("changes", saying(`Morning ${night}`));
    }
    expect(olga.client.closed).toBeNull();
  }, 60_000);

  it("[RM5] closes with 4403 within 5 s whom the workspace took out, though it slept", async () => {
    const mara = await addMember(place);
    const directory = await join(place.owner, place.workspace);
    const id = uuidv7();
    const create = { id, access: "private", name: `den-${id}`, members: [mara] };
    directory.client.send({ t: "op", n: 1, id: uuidv7(), op: "channel.create", args: create, at: Date.now() });
    await directory.client.next("ack");
    const den = { ...place.general, channel: id as typeof place.general.channel };
    const inside = await join(mara, den);
    await evictDurableObject(objectOf(den), { webSockets: "hibernate" });
    const begun = Date.now();
    const remove = { id, remove: [mara] };
    directory.client.send({ t: "op", n: 2, id: uuidv7(), op: "channel.members", args: remove, at: Date.now() });
    expect(await inside.client.close()).toEqual({ code: 4403, reason: "forbidden" });
    expect(Date.now() - begun).toBeLessThan(5_000);
    expect(inside.client.frames.at(-1)).toMatchObject({ t: "error", code: "forbidden" });
    const again = await Client.open(den);
    again.send({ t: "hello", v: 1, token: await authorized(mara, den), device: uuidv7(), since: null });
    expect((await again.close()).code).toBe(4403);
  }, 60_000);

  it("answers the bare ping without waking, and with pong", async () => {
    const olga = await join(place.owner, place.general);
    await evictDurableObject(objectOf(place.general), { webSockets: "hibernate" });
    olga.client.socket.send("ping");
    await olga.client.until(() => (olga.client.texts.includes("pong") ? true : undefined), "pong");
  }, 30_000);

  it("[SV2] tells the workspace of a post; who looks on there hears of it", async () => {
    const directory = await join(await addMember(place), place.workspace);
    const olga = await join(place.owner, place.general);
    olga.client.send(post(1, "Bump"));
    const { rev } = await olga.client.next("ack");
    const bump = await directory.client.next("signal", (signal) => signal.kind === "bump" && signal.rev >= (rev ?? 0));
    expect(bump).toMatchObject({ kind: "bump", channel: place.general.channel, author: place.owner });
  });

  it("[SV1] its alarm rings with nothing owed, and rests", async () => {
    const olga = await join(place.owner, place.general);
    olga.client.send(post(1, "Rest"));
    await olga.client.next("ack");
    const object = objectOf(place.general);
    await runDurableObjectAlarm(object);
    await runDurableObjectAlarm(object);
    const alarm = await runInDurableObject(object, (_room, state) => state.storage.getAlarm());
    expect(alarm).toBeNull();
  });

  it("[RM6] isn't there for a channel that the workspace doesn't know", async () => {
    const nowhere = { ...place.general, channel: uuidv7() as typeof place.general.channel };
    const { status } = await serviceCall(place.workspace, "GET", `policy?channel=${nowhere.channel}`);
    expect(status).toBe(404);
  });
});
