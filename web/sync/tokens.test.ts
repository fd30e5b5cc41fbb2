import { describe, expect, it } from "vitest";
import type { UserId } from "#protocol/ids.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { createTokens, type Tokens } from "./tokens.ts";

const ME = "olga" as UserId;
const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const jwt = (perms: object, more: object = {}): string =>
  `${base64url({ alg: "ES256" })}.${base64url({ iat: 1_000, exp: 4_600, perms, ...more })}.c2ln`;
const room = (i: number, workspace = "w"): RoomName => `channel:${workspace}_c${i}` as RoomName;
const many = (count: number): RoomName[] => Array.from({ length: count }, (_, i) => room(i));

interface Asked {
  readonly room: RoomName;
  readonly rooms?: readonly RoomName[];
}

/** An endpoint that answers as told, and what it was asked. */
function endpoint(answer: (asked: Asked) => Response | Promise<Response>): {
  readonly tokens: Tokens;
  readonly asked: Asked[];
  /** An hour and more goes by. */
  readonly lapse: () => void;
} {
  const asked: Asked[] = [];
  let now = 0;
  const tokens = createTokens(
    {
      origin: "http://edge.test",
      now: () => now,
      timers: { set: () => null, clear: () => undefined },
      fetch: async (_input, init) => {
        const body = JSON.parse(init.body as string) as Asked;
        asked.push(body);
        return answer(body);
      },
    },
    () => ({ authEndpoint: "/api/rooms/auth", authCredentials: "same-origin" }),
    ME,
  );
  return { tokens, asked, lapse: () => void (now += 2 * 3_600_000) };
}

const granting = ({ room: first, rooms = [first] }: Asked): Response =>
  Response.json({ token: jwt(Object.fromEntries(rooms.map((name) => [name, ["read"]]))), refused: {} });
const all = (tokens: Tokens, rooms: readonly RoomName[]): Promise<string[]> =>
  Promise.all(rooms.map(async (name) => (await tokens.get(name, false, "connect")).do));

describe("room tokens", () => {
  it("[AU1] of rooms asked for together come with one request for twenty rooms, and are kept", async () => {
    const { tokens, asked } = endpoint(granting);
    expect(new Set(await all(tokens, many(45)))).toEqual(new Set(["use"]));
    expect(asked.map(({ rooms = [] }) => rooms.length)).toEqual([20, 20, 5]);
    await all(tokens, many(45));
    expect(asked).toHaveLength(3);
  });

  it("of one room are asked for in the form that every endpoint understands", async () => {
    const { tokens, asked } = endpoint(granting);
    await tokens.get(room(1), false, "reconnect");
    expect(asked).toEqual([{ room: room(1), reason: "reconnect", v: expect.any(Number) }]);
  });

  it.each([
    ["our own issuer's of another person are the end of this session", { iss: "causeway", sub: "mara" }, "sign-in"],
    ["our own issuer's of this person are used", { iss: "causeway", sub: ME }, "use"],
    ["a foreign issuer's have names of their own", { iss: "https://id.example", sub: "mara" }, "use"],
  ])("[OP11] %s", async (_what, claims, decision) => {
    const { tokens } = endpoint(({ room: name }) => Response.json({ token: jwt({ [name]: ["read"] }, claims) }));
    expect(await all(tokens, [room(1)])).toEqual([decision]);
  });

  it("[RM4] of two workspaces are two", async () => {
    const { tokens, asked } = endpoint(granting);
    await all(tokens, [room(1, "a"), room(2, "b"), room(3, "a")]);
    expect(asked.map(({ room: first, rooms }) => rooms ?? first)).toEqual([[room(1, "a"), room(3, "a")], room(2, "b")]);
  });

  it.each<[string, (asked: Asked) => Response]>([
    ["grants", ({ room: first }) => Response.json({ token: jwt({ [first]: ["read"] }) })],
    [
      "refuses",
      ({ room: first }) =>
        first === room(0)
          ? Response.json({ code: "forbidden", detail: "not yours" }, { status: 403 })
          : granting({ room: first }),
    ],
  ])("[AU1] [AU4] where the endpoint %s the first alone, the others are asked for one by one", async (what, answer) => {
    const { tokens, asked } = endpoint(answer);
    const first = what === "grants" ? "use" : "stop";
    expect(await all(tokens, many(3))).toEqual([first, "use", "use"]);
    expect(asked.map(({ room: one, rooms }) => [one, rooms?.length ?? 1])).toEqual([
      [room(0), 3],
      [room(1), 1],
      [room(2), 1],
    ]);
  });

  it("[AU4] a refused one among granted ones stops alone", async () => {
    const refused = { [room(1)]: { code: "forbidden", reason: "not yours" } };
    const { tokens, asked } = endpoint(() =>
      Response.json({ token: jwt({ [room(0)]: ["read"], "channel:w_*": ["read"] }), refused }),
    );
    expect(await all(tokens, many(3))).toEqual(["use", "stop", "use"]);
    expect(asked).toHaveLength(1);
  });

  it("[AU5] [AU7] what keeps one waiting keeps all of them", async () => {
    const { tokens, asked } = endpoint(() => new Response("{}", { status: 429, headers: { "retry-after": "3" } }));
    expect(await all(tokens, many(3))).toEqual(["wait", "wait", "wait"]);
    expect(asked).toHaveLength(1);
  });

  it("[AU8] that lapsed together come with the first that is wanted: links come back one by one", async () => {
    let isThere = true;
    const { tokens, asked, lapse } = endpoint((wish) =>
      isThere ? granting(wish) : new Response(null, { status: 503 }),
    );
    await all(tokens, many(3));
    lapse();
    isThere = false;
    expect(await tokens.get(room(1), false, "reconnect")).toEqual({ do: "retry" });
    isThere = true;
    for (const each of [2, 0, 1]) expect((await tokens.get(room(each), false, "reconnect")).do).toBe("use");
    expect(asked.map(({ room: one, rooms }) => rooms ?? one)).toEqual([
      many(3),
      [room(1), room(0), room(2)],
      [room(2), room(0), room(1)],
    ]);
  });

  it("[AU7] that lapsed keep nobody waiting for what another link asked for: it may hang", async () => {
    const hung = Promise.withResolvers<Response>();
    let isHung = false;
    const { tokens, asked, lapse } = endpoint((wish) => (isHung ? hung.promise : granting(wish)));
    await all(tokens, many(2));
    lapse();
    isHung = true;
    const first = tokens.get(room(0), false, "reconnect");
    // A turn later that one is on its way.
    await Promise.resolve();
    isHung = false;
    expect(await all(tokens, [room(1)])).toEqual(["use"]);
    hung.resolve(Response.json({ code: "forbidden", detail: "not yours" }, { status: 403 }));
    expect((await first).do).toBe("stop");
    // What came late says nothing of one that is here.
    expect(await all(tokens, [room(1)])).toEqual(["use"]);
    expect(asked).toHaveLength(3);
  });

  it("[RM4] that lapsed are left alone by what another workspace asks for", async () => {
    const { tokens, asked, lapse } = endpoint(granting);
    await all(tokens, [...many(25), room(1, "b"), room(2, "b")]);
    lapse();
    asked.length = 0;
    await tokens.get(room(2, "b"), false, "reconnect");
    expect(asked.map(({ rooms }) => rooms)).toEqual([[room(2, "b"), room(1, "b")]]);
  });

  it("[AU1] that lapsed are not asked for one by one where the endpoint knows of one room a request", async () => {
    const { tokens, asked, lapse } = endpoint(({ room: first }) =>
      Response.json({ token: jwt({ [first]: ["read"] }) }),
    );
    await all(tokens, many(3));
    lapse();
    asked.length = 0;
    expect(await all(tokens, [room(1)])).toEqual(["use"]);
    expect(asked).toHaveLength(1);
    expect(await all(tokens, [room(2)])).toEqual(["use"]);
    expect(asked).toHaveLength(2);
  });

  it("that lapsed cost one request, however many rooms were ever asked for, and none of a room that was refused", async () => {
    let refused = {};
    const { tokens, asked, lapse } = endpoint(({ room: first, rooms = [first] }) =>
      Response.json({ token: jwt(Object.fromEntries(rooms.map((name) => [name, ["read"]]))), refused }),
    );
    await all(tokens, many(45));
    lapse();
    asked.length = 0;
    refused = { [room(1)]: { code: "forbidden", reason: "not yours" } };
    await tokens.get(room(44), false, "reconnect");
    expect(asked.map(({ rooms }) => rooms)).toEqual([[room(44), ...many(19)]]);
    lapse();
    await tokens.get(room(44), false, "reconnect");
    expect(asked.at(-1)!.rooms).not.toContain(room(1));
  });

  it("[AU8] a token called bad is replaced by one for its room alone", async () => {
    const { tokens, asked } = endpoint(granting);
    await all(tokens, many(2));
    await tokens.get(room(1), true, "reconnect");
    expect(asked.at(-1)).toEqual({ room: room(1), reason: "reconnect", v: expect.any(Number) });
  });
});
