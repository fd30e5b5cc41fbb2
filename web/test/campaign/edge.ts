// As much of the edge as the client calls: who is signed in, tokens for rooms, and the rooms' own HTTP.
import type { Me } from "#protocol/http.ts";
import { failure, problemOf } from "#protocol/errors.ts";
import { parseRoomName, roomNameOf, type RoomRef } from "#protocol/room-name.ts";
import type { UserId } from "#protocol/ids.ts";
import type { Device } from "./device.ts";
import { endSession } from "./session.ts";
import type { World } from "./world.ts";

const CONFIG = {
  version: 1,
  authEndpoint: "/api/rooms/auth",
  authCredentials: "same-origin",
  api: "/api",
  rooms: "",
  build: "sim",
  signIn: ["password"],
  openSignup: true,
};

interface Asked {
  readonly room: string;
  readonly rooms?: readonly string[];
}

export class Edge {
  /** How long tokens live, in seconds. */
  tokenLifeS = 600;
  /** Now and then it can't answer. */
  fails = 0;
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  async fetch(device: Device, input: string, init: RequestInit): Promise<Response> {
    const called = this.#through(device, input, init);
    const { signal } = init;
    if (signal === null || signal === undefined) return called;
    return Promise.race([
      called,
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(new DOMException("Called off", "AbortError")));
      }),
    ]);
  }

  async #through(device: Device, input: string, init: RequestInit): Promise<Response> {
    const { line } = device;
    if (!(await line.through())) throw new TypeError("fetch failed");
    if (line.state === "portal") return answer(200, "<html>Sign in to the ship's network</html>", "text/html");
    const { pathname, search } = new URL(input);
    const reply = this.#world.random.chance(this.fails)
      ? json(503, problemOf(failure("upstream_unavailable")))
      : await this.#answer(device, pathname, search, init);
    this.#world.trace(
      `${device.name} ${pathname} ${typeof init.body === "string" ? init.body.slice(0, 80) : ""} ${reply.status}`,
    );
    if (!(await line.through())) throw new TypeError("fetch failed");
    return reply;
  }

  async #answer(device: Device, path: string, query: string, init: RequestInit): Promise<Response> {
    if (path === "/config.json") return json(200, CONFIG);
    const [, , party, id, action] = path.split("/");
    if (path.startsWith("/parties/")) return this.#room(`${party}:${id}`, `${action}${query}`, init);
    if (!device.session.isOn) return json(401, problemOf(failure("unauthenticated")));
    if (path === "/api/auth/sign-out") {
      endSession(this.#world, device);
      return json(200, { success: true });
    }
    if (path === "/api/me") return json(200, this.#me(device.user));
    if (path !== "/api/rooms/auth") return json(404, problemOf(failure("not_found")));
    return this.#authorize(device, JSON.parse(init.body as string) as { room: string; rooms?: string[] });
  }

  /** One token for all that were asked for and may be had; the reasons for the others. */
  async #authorize({ user, session }: Device, { room, rooms: asked = [room] }: Asked): Promise<Response> {
    const perms: Record<string, readonly string[]> = {};
    const refused: Record<string, object> = {};
    const why = failure("forbidden");
    for (const name of new Set([room, ...asked])) {
      const ref = parseRoomName(name);
      const granted = ref === null ? [] : await this.perms(user, ref);
      if (granted === null) return json(503, problemOf(failure("upstream_unavailable")));
      if (granted.length > 0) perms[name] = granted;
      else refused[name] = { code: why.code, reason: why.detail };
    }
    if (Object.keys(perms).length === 0) return json(403, { ...problemOf(why), refused });
    return json(200, { token: await this.#world.rooms.token(user, perms, this.tokenLifeS, session.sid), refused });
  }

  async #room(name: string, action: string, init: RequestInit): Promise<Response> {
    const headers = (init.headers ?? {}) as Record<string, string>;
    const token = (headers["authorization"] ?? "").replace("Bearer ", "");
    const body = typeof init.body === "string" ? (JSON.parse(init.body) as unknown) : undefined;
    const asked = this.#world.rooms.named(name).http(init.method ?? "GET", action, token, body);
    const reply = await Promise.race([asked, this.#world.loop.sleep(30_000)]);
    if (reply === undefined) throw new TypeError("fetch failed");
    return json(reply.status, reply.body);
  }

  /** Null where the workspace's room doesn't answer. */
  async perms(user: UserId, ref: RoomRef): Promise<readonly string[] | null> {
    const name = roomNameOf(ref);
    const { rooms, loop, team } = this.#world;
    const asked = rooms.at(team).call("POST", "authorize", { user, rooms: [name] });
    const reply = await Promise.race([asked.catch(() => null), loop.sleep(5_000)]);
    if (reply === null || reply === undefined || reply.status !== 200) return null;
    return (reply.body as { granted: Record<string, string[]> }).granted[name] ?? [];
  }

  #me(user: UserId): Me {
    const { workspace } = this.#world.team;
    return {
      user: { id: user, name: user, email: `${user}@team.example` },
      workspaces: [{ id: workspace, slug: "team", name: "Team", role: "member" }],
    };
  }
}

function json(status: number, body: unknown): Response {
  return answer(status, JSON.stringify(body), status < 400 ? "application/json" : "application/problem+json");
}

/** What the client reads of an answer, without the platform's streams. */
function answer(status: number, body: string, type: string): Response {
  const headers = { get: (name: string) => (name === "content-type" ? type : null) };
  const reply = {
    status,
    ok: status < 400,
    type: "basic",
    headers,
    text: async () => body,
    json: async () => JSON.parse(body) as unknown,
  };
  return reply as unknown as Response;
}
