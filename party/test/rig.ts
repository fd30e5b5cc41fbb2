// Rooms in workerd, as a client and as the edge meet them: tokens, service calls, sockets.
import { env, exports } from "cloudflare:workers";
import { importJWK, SignJWT, type CryptoKey, type JWK } from "jose";
import { uuidv7 } from "uuidv7";
import type { DownFrame } from "#protocol/down.ts";
import type { UpFrame } from "#protocol/up.ts";
import { roomIdOf, roomNameOf, roomPathOf, type RoomRef } from "#protocol/room-name.ts";
import type { ChannelId, UserId, WorkspaceId } from "#protocol/ids.ts";
import { signCall } from "../engine/service-calls.ts";

export const ORIGIN = "http://rooms.test";

interface Variables {
  readonly SERVICE_SECRET: string;
  readonly ROOM_KEYS: string;
  readonly WORKSPACE: DurableObjectNamespace;
  readonly CHANNEL: DurableObjectNamespace;
}

const { SERVICE_SECRET, ROOM_KEYS, WORKSPACE, CHANNEL } = env as unknown as Variables;
const [signingKey] = (JSON.parse(ROOM_KEYS) as { keys: JWK[] }).keys;

/** The key that signs room tokens here, and its name. */
export async function tokenKey(): Promise<{ key: CryptoKey | Uint8Array; kid: string }> {
  return { key: await importJWK(signingKey ?? {}, "ES256"), kid: signingKey?.kid ?? "" };
}

/** The Durable Object behind a room. */
export function objectOf(room: RoomRef): DurableObjectStub {
  const namespace = room.party === "workspace" ? WORKSPACE : CHANNEL;
  return namespace.get(namespace.idFromName(roomIdOf(room)));
}

export async function worker(request: Request): Promise<Response> {
  return (exports as unknown as { default: Fetcher }).default.fetch(request);
}

export interface TokenOptions {
  readonly header?: Record<string, unknown>;
  readonly claims?: Record<string, unknown>;
}

/** A token as our own endpoint gives it, unless told otherwise. */
export async function tokenFor(
  user: string,
  room: RoomRef,
  perms: readonly string[],
  options: TokenOptions = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: "causeway",
    aud: "causeway",
    sub: user,
    iat: now,
    exp: now + 3_600,
    ws: room.workspace,
    perms: { [roomNameOf(room)]: perms },
    info: { name: user },
    jti: uuidv7(),
    ...options.claims,
  };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: "ES256", kid: signingKey?.kid ?? "", ...options.header })
    .sign(await importJWK(signingKey ?? {}, "ES256"));
}

export interface CallResult {
  readonly status: number;
  readonly body: unknown;
}

export async function serviceCall(
  room: RoomRef,
  method: "GET" | "POST",
  action: string,
  value?: unknown,
): Promise<CallResult> {
  const body = value === undefined ? "" : JSON.stringify(value);
  const path = `${roomPathOf(room)}/${action}`;
  const token = await signCall(SERVICE_SECRET, { method, path, body }, Date.now());
  const headers = { authorization: `Bearer ${token}` };
  const response = await worker(new Request(ORIGIN + path, { method, headers, ...(body === "" ? {} : { body }) }));
  return { status: response.status, body: await response.json() };
}

export interface Place {
  readonly workspace: Extract<RoomRef, { party: "workspace" }>;
  readonly general: Extract<RoomRef, { party: "channel" }>;
  readonly owner: UserId;
}

/** A workspace with its owner and `general`. */
export async function makeWorkspace(owner = `u-${uuidv7()}` as UserId): Promise<Place> {
  const id = uuidv7() as WorkspaceId;
  const general = uuidv7() as ChannelId;
  const workspace = { party: "workspace", workspace: id } as const;
  const asked = { workspace: { id, slug: "team", name: "Team" }, owner: { user: owner, name: "Olga" }, general };
  const { status, body } = await serviceCall(workspace, "POST", "create", asked);
  if (status !== 200) throw new Error(`create answered ${status} ${JSON.stringify(body)}`);
  return { workspace, general: { party: "channel", workspace: id, channel: general }, owner };
}

export async function addMember(place: Place, role = "member", channels: readonly string[] = []): Promise<UserId> {
  const user = `u-${uuidv7()}` as UserId;
  const { status } = await serviceCall(place.workspace, "POST", "members", { user, name: "Mara", role, channels });
  if (status !== 200) throw new Error(`members answered ${status}`);
  return user;
}

/** What `authorize` grants for the room, as a token. */
export async function authorized(user: UserId, room: RoomRef): Promise<string> {
  const workspace = { party: "workspace", workspace: room.workspace } as const;
  const { body } = await serviceCall(workspace, "POST", "authorize", { user, rooms: [roomNameOf(room)] });
  const { granted } = body as { granted: Record<string, string[]> };
  return tokenFor(user, room, granted[roomNameOf(room)] ?? []);
}

/** The frame of a kind. */
export type Of<T extends DownFrame["t"]> = Extract<DownFrame, { t: T }>;

export class Client {
  readonly frames: DownFrame[] = [];
  readonly texts: string[] = [];
  closed: { code: number; reason: string } | null = null;
  readonly socket: WebSocket;
  #read = 0;
  readonly #waiting = new Set<() => void>();

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const text = String(data);
      this.texts.push(text);
      if (text.startsWith("{")) this.frames.push(JSON.parse(text) as DownFrame);
      this.#wake();
    });
    socket.addEventListener("close", ({ code, reason }) => {
      this.closed = { code, reason };
      this.#wake();
    });
    socket.accept();
  }

  static async open(room: RoomRef, headers: Record<string, string> = {}, query = ""): Promise<Client> {
    const response = await worker(
      new Request(ORIGIN + roomPathOf(room) + query, { headers: { upgrade: "websocket", ...headers } }),
    );
    if (!response.webSocket) throw new Error(`No socket: ${response.status}`);
    return new Client(response.webSocket);
  }

  send(frame: UpFrame | Record<string, unknown>): void {
    this.socket.send(JSON.stringify(frame));
  }

  /** The next frame of the kind that hasn't been read; those before it are passed over. */
  async next<T extends DownFrame["t"]>(t: T, isIt: (frame: Of<T>) => boolean = () => true): Promise<Of<T>> {
    return this.until(() => {
      for (let index = this.#read; index < this.frames.length; index += 1) {
        const frame = this.frames[index];
        if (frame?.t !== t || !isIt(frame as Of<T>)) continue;
        this.#read = index + 1;
        return frame as Of<T>;
      }
      return undefined;
    }, t);
  }

  async close(): Promise<{ code: number; reason: string }> {
    return this.until(() => this.closed ?? undefined, "close");
  }

  async until<T>(found: () => T | undefined, what: string): Promise<T> {
    const deadline = Date.now() + 15_000;
    for (;;) {
      const value = found();
      if (value !== undefined) return value;
      if (Date.now() > deadline)
        throw new Error(`No ${what} came; got ${this.texts.join("\n")} ${JSON.stringify(this.closed)}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 500);
        this.#waiting.add(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}

export interface Joined {
  readonly client: Client;
  readonly welcome: Of<"welcome">;
  readonly first: Of<"snapshot"> | Of<"changes">;
  readonly device: string;
}

export interface JoinOptions {
  readonly device?: string;
  readonly since?: number | null;
  readonly epoch?: string;
  readonly heads?: number;
  readonly newest?: number;
  readonly token?: string;
}

export async function join(user: UserId, room: RoomRef, options: JoinOptions = {}): Promise<Joined> {
  const client = await Client.open(room);
  const { device = uuidv7(), since = null, token = await authorized(user, room), ...rest } = options;
  client.send({ t: "hello", q: 1, v: 1, token, device, since, ...rest });
  const welcome = await client.next("welcome");
  const first = await client.until(
    () =>
      client.frames.find(
        (frame): frame is Of<"snapshot"> | Of<"changes"> => frame.t === "snapshot" || frame.t === "changes",
      ),
    "snapshot or changes",
  );
  return { client, welcome, first, device };
}

export function post(n: number, text: string, more: Record<string, unknown> = {}): UpFrame {
  return {
    t: "op",
    n,
    id: uuidv7(),
    op: "message.post",
    args: { id: uuidv7(), text, ...more },
    at: Date.now(),
  } as UpFrame;
}
