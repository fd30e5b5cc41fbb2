// What stands before a room in workerd: addresses, origins, tokens, signatures; and that nothing leaks through it.
import { runInDurableObject } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { uuidv7 } from "uuidv7";
import { roomPathOf } from "#protocol/room-name.ts";
import { attacksOn, goodTokens, type Attack } from "../test/bad-tokens.ts";
import {
  authorized,
  Client,
  join,
  makeWorkspace,
  objectOf,
  ORIGIN,
  post,
  tokenFor,
  tokenKey,
  worker,
  type Place,
} from "../test/rig.ts";

let place: Place;
let attacks: readonly Attack[];
let good: readonly string[];

beforeAll(async () => {
  place = await makeWorkspace();
  const target = {
    room: place.general,
    user: place.owner,
    ...(await tokenKey()),
    nowS: Math.floor(Date.now() / 1_000),
  };
  attacks = await attacksOn(target);
  good = await goodTokens(target);
}, 30_000);

function hello(token: string): Record<string, unknown> {
  return { t: "hello", v: 1, token, device: uuidv7(), since: null };
}

describe("tokens", () => {
  it("every bad one is refused on connecting, by one error and a close", async () => {
    for (const { what, token, close } of attacks) {
      const client = await Client.open(place.general);
      client.send(hello(token));
      expect({ what, code: (await client.close()).code }).toEqual({ what, code: close });
      expect(client.frames.map(({ t }) => t)).toEqual(["error"]);
    }
  }, 30_000);

  it("every bad one is refused on renewal, and ends the connection", async () => {
    const token = await authorized(place.owner, place.general);
    for (const attack of attacks) {
      const { client } = await join(place.owner, place.general, { token });
      client.send({ t: "auth", token: attack.token });
      expect({ what: attack.what, code: (await client.close()).code }).toEqual({
        what: attack.what,
        code: attack.close,
      });
    }
  }, 30_000);

  it("every bad one is refused over HTTP", async () => {
    for (const { what, token, close } of attacks) {
      const headers = { authorization: `Bearer ${token}` };
      const response = await worker(new Request(`${ORIGIN}${roomPathOf(place.general)}/changes?since=0`, { headers }));
      expect({ what, status: response.status }).toEqual({ what, status: close === 4401 ? 401 : 403 });
      expect(response.headers.get("content-type")).toBe("application/problem+json");
    }
  }, 30_000);

  it("good ones are taken, clocks half a minute apart", async () => {
    for (const token of good) {
      const { welcome } = await join(place.owner, place.general, { token });
      expect(welcome.you.user).toBe(place.owner);
    }
  });

  it("over 8 KB closes before it is read", async () => {
    const client = await Client.open(place.general);
    client.send(hello("x".repeat(1_000_000)));
    expect((await client.close()).code).toBe(4413);
  });

  it("[RM3] in the address is taken, and kept nowhere", async () => {
    const token = await authorized(place.owner, place.general);
    const client = await Client.open(place.general, {}, `?token=${token}`);
    client.send(hello(""));
    expect((await client.next("welcome")).you.user).toBe(place.owner);
    const kept = await runInDurableObject(objectOf(place.general), async (_room, state) => {
      const attached = state.getWebSockets().map((socket): unknown => socket.deserializeAttachment());
      return JSON.stringify([[...(await state.storage.list())], attached]);
    });
    expect(kept).not.toContain(token.slice(-40));
  });

  it("leave a connection's state under 1.5 KB, without the token", async () => {
    const token = await authorized(place.owner, place.general);
    await join(place.owner, place.general, { token });
    const states = await runInDurableObject(objectOf(place.general), (_room, state) =>
      state.getWebSockets().map((socket) => JSON.stringify(socket.deserializeAttachment())),
    );
    expect(states.length).toBeGreaterThan(0);
    for (const state of states) {
      expect(state.length).toBeLessThan(1_536);
      expect(state).not.toContain(token.slice(-40));
    }
  });
});

describe("origins", () => {
  const upgrade = (origin: string | null): Promise<Response> =>
    worker(
      new Request(ORIGIN + roomPathOf(place.general), {
        headers: { upgrade: "websocket", ...(origin === null ? {} : { origin }) },
      }),
    );

  it.each([
    ["its own", ORIGIN, 101],
    ["none", null, 101],
    ["null", "null", 403],
    ["a foreign one", "https://evil.example", 403],
    ["its own with another port", `${ORIGIN}:81`, 403],
    ["one that begins alike", `${ORIGIN}.evil.example`, 403],
  ])("[RM2] %s", async (_what, origin, status) => {
    const response = await upgrade(origin);
    response.webSocket?.accept();
    response.webSocket?.close();
    expect(response.status).toBe(status);
  });

  it("[RM2] a change asked for by a foreign page takes nobody's rights: 422", async () => {
    const headers = { origin: "https://evil.example", authorization: "Bearer x" };
    const response = await worker(
      new Request(`${ORIGIN}${roomPathOf(place.general)}/ops`, { method: "POST", headers, body: "{}" }),
    );
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ code: "invalid", detail: expect.stringMatching(/^Origin/) });
  });

  it("[RM2] a preflight of a foreign page is refused, its own answered", async () => {
    const preflight = (origin: string): Promise<Response> =>
      worker(new Request(`${ORIGIN}${roomPathOf(place.general)}/ops`, { method: "OPTIONS", headers: { origin } }));
    expect((await preflight("https://evil.example")).status).toBe(403);
    const own = await preflight(ORIGIN);
    expect(own.status).toBe(204);
    expect(own.headers.get("access-control-allow-headers")).toContain("authorization");
  });
});

describe("addresses", () => {
  it.each([
    "/parties/channel/w",
    "/parties/channel/w_c_d",
    "/parties/channel/w%5Fc",
    "/parties/channel/..%2Fw_c",
    "/parties/workspace/w_c",
    "/parties/other/w",
    "/parties/workspace/",
    "/parties/workspace/%00",
    `/parties/workspace/${"w".repeat(65)}`,
  ])("%s is no room", async (path) => {
    for (const upgrade of [{}, { upgrade: "websocket" }]) {
      const response = await worker(new Request(ORIGIN + path, { headers: upgrade }));
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: "not_found" });
    }
  });

  it("what follows the id in a socket's address says nothing: a client counts its openings there", async () => {
    const client = await Client.open(place.general, {}, "/7");
    client.send(hello(await authorized(place.owner, place.general)));
    expect((await client.next("welcome")).you.user).toBe(place.owner);
  });

  it("a room's calls that aren't there don't say what is", async () => {
    const headers = { authorization: `Bearer ${await authorized(place.owner, place.general)}` };
    for (const call of ["", "/", "/policy", "/export", "/create", "/authorize", "/restored"]) {
      const response = await worker(
        new Request(ORIGIN + roomPathOf(place.general) + call, { method: "POST", headers, body: "{}" }),
      );
      expect(response.status).toBe(401);
    }
  });
});

describe("what a room says when something is wrong", () => {
  it("holds no stack, path or secret, whatever comes", async () => {
    const token = await authorized(place.owner, place.general);
    const bodies = ["", "{", "null", "[]", '{"device":1}', "\u0000", "x".repeat(5_000_000)];
    for (const body of bodies) {
      const request = new Request(`${ORIGIN}${roomPathOf(place.general)}/ops`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
        body,
      });
      const response = await worker(request);
      const text = await response.text();
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.status).toBeLessThan(500);
      expect(text).not.toMatch(/\.ts|\.js|at \w+|stack|secret/i);
    }
    const { client } = await join(place.owner, place.general);
    client.socket.send(new Uint8Array([1, 2, 3]));
    client.send({ t: "op", n: 1, id: "o", op: "constructor", args: { __proto__: 1 }, at: 0 });
    expect(await client.next("refuse")).toMatchObject({ code: "invalid" });
    client.send(post(2, "Still here"));
    expect(await client.next("ack")).toMatchObject({ n: 2 });
  });

  it("[OP15] 10,000 frames at once are answered, and the room stays up for others", async () => {
    const flooder = await join(place.owner, place.general);
    for (let n = 1; n <= 10_000; n += 1) flooder.client.send(post(n, "flood"));
    const held = await flooder.client.next("refuse", ({ code }) => code === "rate_limited");
    expect(held.held).toBe(true);
    const token = await tokenFor("a-reader", place.general, ["read"]);
    const other = await join("a-reader" as typeof place.owner, place.general, { token });
    expect(other.welcome.head).toBeGreaterThan(0);
    flooder.client.socket.close();
  }, 30_000);
});

describe("a body without end", () => {
  const CHUNK = 64 * 1_024;

  /** Sends up to 40 MiB without saying how much, and tells how much of it was taken. */
  async function pour(action: string, token: string): Promise<{ status: number; taken: number }> {
    let taken = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        taken += CHUNK;
        if (taken > 40 * 1_024 * 1_024) controller.close();
        else controller.enqueue(new Uint8Array(CHUNK));
      },
    });
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const url = `${ORIGIN}${roomPathOf(place.general)}/${action}`;
    const { status } = await worker(new Request(url, { method: "POST", headers, body }));
    return { status, taken };
  }

  it("isn't read from who may not come in", async () => {
    for (const action of ["ops", "policy"]) {
      const { status, taken } = await pour(action, "nobody's");
      expect(status).toBe(401);
      expect(taken).toBeLessThan(2 * 1_024 * 1_024);
    }
  });

  it("is read up to the limit from who may, and the room goes on", async () => {
    const token = await authorized(place.owner, place.general);
    const { status, taken } = await pour("ops", token);
    expect(status).toBe(413);
    expect(taken).toBeLessThan(10 * 1_024 * 1_024);
    const { client } = await join(place.owner, place.general);
    client.send(post(1, "Still here"));
    expect((await client.next("ack")).n).toBe(1);
  });
});
