// A PartyKit server around an engine: sockets and requests in, the engine's answers out. Nothing thrown leaves it: a
// host would show the stack, or its message, to whoever is connected.
import type * as Party from "partykit/server";
import * as v from "valibot";
import { failure, type Failure } from "#protocol/errors.ts";
import { SERVICE_CALL_TIMEOUT_MS, SERVICE_BODY_MAX_BYTES } from "#protocol/limits.ts";
import { failed, type Result } from "#protocol/result.ts";
import { faultOf } from "../engine/config-error.ts";
import type { Connection, Host } from "../engine/host.ts";
import type { RoomRequest } from "../engine/http.ts";
import { readSignedCall } from "../engine/service-calls.ts";
import { startRoom, type Parts, type Running } from "../engine/start.ts";
import { Verifier } from "../engine/tokens.ts";
import { jwkSet, readServiceSecret, readTrust, type JwkSet } from "../engine/trust.ts";
import { addressOf, answerBefore, corsHeaders, problemResponse } from "./origin.ts";
import { partyHost } from "./party-host.ts";

/** A foreign client's token, moved out of the address so that no host keeps or logs it ([RM3]). */
const TOKEN_HEADER = "x-causeway-token";

export class RoomServer<Own> implements Party.Server {
  readonly options: Party.ServerOptions = { hibernate: true };
  readonly #party: Party.Room;
  readonly #host: Host;
  readonly #parts: Parts<Own>;
  #running: Running<Own> | null = null;

  constructor(party: Party.Room, parts: Parts<Own>) {
    this.#party = party;
    this.#host = partyHost(party);
    this.#parts = parts;
  }

  static onBeforeConnect(request: Party.Request, lobby: Party.Lobby): Party.Request | Response {
    const answer = answerBefore(request, lobby.env["ALLOWED_ORIGINS"]);
    return answer ?? withoutToken(request);
  }

  static onBeforeRequest(request: Party.Request, lobby: Party.Lobby): Party.Request | Response {
    return answerBefore(request, lobby.env["ALLOWED_ORIGINS"]) ?? request;
  }

  async onConnect(connection: Party.Connection, { request }: Party.ConnectionContext): Promise<void> {
    await this.#guarded("connect", connection, async () => {
      this.#run().sessions.opened(connection as Connection, request.headers.get(TOKEN_HEADER));
    });
  }

  async onMessage(message: string | ArrayBuffer | ArrayBufferView, connection: Party.Connection): Promise<void> {
    await this.#guarded("message", connection, () => this.#run().sessions.received(connection as Connection, message));
  }

  async onClose(connection: Party.Connection): Promise<void> {
    await this.#guarded("close", null, async () => this.#run().sessions.closed(connection as Connection));
  }

  async onError(connection: Party.Connection): Promise<void> {
    await this.onClose(connection);
  }

  async onAlarm(): Promise<void> {
    await this.#guarded("alarm", null, () => this.#run().room.rang());
  }

  async onRequest(request: Party.Request): Promise<Response> {
    const cors = corsHeaders(request.headers.get("origin"));
    try {
      return await this.#answer(request, cors);
    } catch (error) {
      const reference = this.#host.randomId().slice(-8);
      this.#host.log("internal", { where: "request", reference, error: faultOf(error) });
      return problemResponse(failure("internal", { reference }), cors);
    }
  }

  async #answer(request: Party.Request, cors: Record<string, string>): Promise<Response> {
    const url = new URL(request.url);
    const address = addressOf(url);
    if (!address) return problemResponse(failure("not_found"), cors);
    const asked: RoomRequest = {
      method: request.method,
      path: url.pathname + url.search,
      authorization: request.headers.get("authorization"),
      body: (maxBytes) => readBody(request, maxBytes),
    };
    const { http } = this.#run();
    const result =
      (await http.answer(asked, address.action, url.searchParams)) ?? (await this.#serve(asked, address.action, url));
    if (!result.ok) return problemResponse(result.error, cors);
    return Response.json(result.value, { headers: { "cache-control": "no-store", ...cors } });
  }

  /** A call from the deployment's own parts; to everybody else these addresses don't exist without the signature. */
  async #serve(request: RoomRequest, action: string, url: URL): Promise<Result<unknown, Failure>> {
    const { method, path } = request;
    const secret = readServiceSecret(this.#party.env["SERVICE_SECRET"]);
    const token = /^Bearer (.+)$/i.exec(request.authorization ?? "")?.[1] ?? "";
    const signed = await readSignedCall(secret, token, { method, path }, this.#host.now());
    const body = signed ? await request.body(SERVICE_BODY_MAX_BYTES) : null;
    if (!signed || body === null || !(await signed.isFor(body))) return failed(failure("unauthenticated"));
    const json = body === "" ? undefined : readJson(body);
    return (
      (await this.#run().call({ call: `${method} ${action}`, query: url.searchParams, body: json })) ??
      failed(failure("not_found"))
    );
  }

  /** Made on first use, so that a wrong variable is an answered error and not a room that can't start. */
  #run(): Running<Own> {
    if (this.#running) return this.#running;
    const verifier = new Verifier(readTrust(this.#party.env["ISSUERS"]), fetchKeys);
    this.#running = startRoom(this.#host, this.#parts, verifier);
    return this.#running;
  }

  async #guarded(where: string, connection: Party.Connection | null, task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (error) {
      this.#host.log("internal", { where, error: faultOf(error) });
      connection?.close(1011, "internal");
    }
  }
}

function withoutToken(request: Party.Request): Party.Request {
  const url = new URL(request.url);
  const token = url.searchParams.get("token");
  if (token === null) return request;
  url.searchParams.delete("token");
  const moved = new Request(url.href, request);
  moved.headers.set(TOKEN_HEADER, token);
  return moved;
}

/** Counted as it comes: a length may be left out, and a room has little memory. */
async function readBody(request: Party.Request, maxBytes: number): Promise<string | null> {
  if (!request.body) return "";
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = "";
  for await (const chunk of request.body as ReadableStream<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

async function fetchKeys(url: string): Promise<JwkSet> {
  const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(SERVICE_CALL_TIMEOUT_MS) });
  return v.parse(jwkSet, await response.json());
}
