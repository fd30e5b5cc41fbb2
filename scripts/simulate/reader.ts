/** Somebody who holds nothing and reads the rooms over HTTP, straight from the server: what really stands there. */
import * as v from "valibot";
import { authResponse } from "#protocol/http.ts";
import { history } from "#protocol/frames/history.ts";
import type { ChannelId, WorkspaceId } from "#protocol/ids.ts";
import type { Message } from "#protocol/entities/message.ts";
import { HISTORY_PAGE_MAX } from "#protocol/limits.ts";
import { roomNameOf, roomPathOf } from "#protocol/room-name.ts";
import type { Ports } from "../../web/sync/ports.ts";

/** A place that no channel reaches. */
const BEYOND_ALL = 10 ** 12;

export interface Reading {
  readonly head: number;
  /** By place. */
  readonly messages: readonly Message[];
}

export interface ReaderOptions {
  readonly url: string;
  /** With the session of somebody who may read. */
  readonly fetch: Ports["fetch"];
  readonly workspace: WorkspaceId;
}

export async function readChannel(options: ReaderOptions, channel: ChannelId): Promise<Reading> {
  const room = { party: "channel", workspace: options.workspace, channel } as const;
  const token = await tokenFor(options, roomNameOf(room));
  const init = { headers: { authorization: `Bearer ${token}` } };
  let messages: Message[] = [];
  for (;;) {
    const before = messages[0]?.seq ?? BEYOND_ALL;
    const path = `${roomPathOf(room)}/history?before=${before}&limit=${HISTORY_PAGE_MAX}`;
    const page = await call(options, path, init, history);
    messages = [...page.messages, ...messages];
    if (!page.more) return { head: page.rev, messages };
  }
}

async function tokenFor(options: ReaderOptions, room: string): Promise<string> {
  const body = JSON.stringify({ room, rooms: [room], reason: "connect", v: 1 });
  const headers = { "content-type": "application/json" };
  return (await call(options, "/api/rooms/auth", { method: "POST", headers, body }, authResponse)).token;
}

async function call<Schema extends v.GenericSchema>(
  { url, fetch }: ReaderOptions,
  path: string,
  init: RequestInit,
  schema: Schema,
): Promise<v.InferOutput<Schema>> {
  const response = await fetch(new URL(path, url).href, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${init.method ?? "GET"} ${path}: ${response.status} ${text}`);
  return v.parse(schema, JSON.parse(text));
}
