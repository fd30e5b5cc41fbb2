// Hosts the PartyKit rooms as Durable Objects, by an adapter over partyserver: the same classes, storage and sockets,
// other rooms by binding instead of HTTP.
import type * as Party from "partykit/server";
import { Server, type Connection, type ConnectionContext, type WSMessage } from "partyserver";
import { PING, PONG } from "#protocol/frame.ts";
import { roomIdOf } from "#protocol/room-name.ts";
import ChannelServer from "../party/channel.ts";
import { addressOf } from "../party/host/origin.ts";
import WorkspaceServer from "../party/workspace.ts";
import type { Env as EdgeEnv } from "./env.ts";

/** The rooms' own variables stand beside the edge's. */
type Env = EdgeEnv & { readonly ISSUERS?: string };
type PartyName = "workspace" | "channel";
const BINDING = { workspace: "WORKSPACE", channel: "CHANNEL" } as const;
const SERVERS = { workspace: WorkspaceServer, channel: ChannelServer } as const;
/** Stubs are asked by binding, so the host is only a name. */
const BINDING_ORIGIN = "https://rooms.invalid";

class HostedRoom extends Server<Env & Cloudflare.Env> {
  static override options = { hibernate: true };
  readonly #server: WorkspaceServer | ChannelServer;

  constructor(ctx: DurableObjectState, env: Env & Cloudflare.Env, party: PartyName) {
    super(ctx, env);
    // Answered without waking the room.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG));
    this.#server = new SERVERS[party](partyRoom(this, party, ctx, env));
  }

  override onConnect(connection: Connection, context: ConnectionContext): Promise<void> {
    return this.#server.onConnect(asParty(connection), context);
  }

  override onMessage(connection: Connection, message: WSMessage): Promise<void> {
    return this.#server.onMessage(message, asParty(connection));
  }

  override onClose(connection: Connection): Promise<void> {
    return this.#server.onClose(asParty(connection));
  }

  override onError(connection: Connection): Promise<void> {
    return this.#server.onError(asParty(connection));
  }

  override onRequest(request: Request): Promise<Response> {
    return this.#server.onRequest(request);
  }

  override onAlarm(): Promise<void> {
    return this.#server.onAlarm();
  }
}

export class WorkspaceRoom extends HostedRoom {
  constructor(ctx: DurableObjectState, env: Env & Cloudflare.Env) {
    super(ctx, env, "workspace");
  }
}

export class ChannelRoom extends HostedRoom {
  constructor(ctx: DurableObjectState, env: Env & Cloudflare.Env) {
    super(ctx, env, "channel");
  }
}

/** What our rooms use of a PartyKit room. The casts bridge two sets of declarations of the same platform types. */
function partyRoom(host: Server, party: PartyName, ctx: DurableObjectState, env: Env): Party.Room {
  const room = {
    get id() {
      return host.name;
    },
    name: party,
    env: plainValues(env),
    storage: ctx.storage,
    getConnections: (tag?: string) => host.getConnections(tag),
    context: { parties: { workspace: stubs(env, "workspace"), channel: stubs(env, "channel") } },
  };
  return room as unknown as Party.Room;
}

function stubs(
  env: Env,
  party: PartyName,
): { get(id: string): { fetch(path: string, init?: RequestInit): Promise<Response> } } {
  const namespace = env[BINDING[party]];
  return {
    get: (id) => ({
      fetch: (path, init) =>
        namespace.get(namespace.idFromName(id)).fetch(`${BINDING_ORIGIN}/parties/${party}/${id}${path}`, init),
    }),
  };
}

/** Rooms see variables and secrets as PartyKit would give them, never a binding; least of all the signing keys. */
function plainValues(env: Env): Record<string, unknown> {
  const { SERVICE_SECRET, ALLOWED_ORIGINS, ISSUERS } = env;
  return { SERVICE_SECRET, ALLOWED_ORIGINS, ISSUERS };
}

function asParty(connection: Connection): Party.Connection {
  return connection as unknown as Party.Connection;
}

/** `/parties/<party>/<id>/…`, for sockets and requests alike. */
export async function routeParties(request: Request, env: Env): Promise<Response> {
  const asked = request as unknown as Party.Request;
  const lobby = { env: plainValues(env) } as unknown as Party.Lobby;
  const isSocket = request.headers.get("upgrade")?.toLowerCase() === "websocket";
  const passed = isSocket
    ? WorkspaceServer.onBeforeConnect(asked, lobby)
    : WorkspaceServer.onBeforeRequest(asked, lobby);
  const address = addressOf(new URL(request.url));
  if (passed instanceof Response || !address) return passed as Response;
  const namespace = env[BINDING[address.room.party]];
  return namespace.get(namespace.idFromName(roomIdOf(address.room))).fetch(passed);
}
