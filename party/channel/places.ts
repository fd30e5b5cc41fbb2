// From a message's place to its id: pages of 64, written when full, the newest part in the stem. Places are contiguous
// from 1 ([RV4]), so a place's page follows from its number.
import type { LiveMessage, Message } from "#protocol/entities/message.ts";
import type { MessageId } from "#protocol/ids.ts";
import { bytesOf } from "../engine/catch-up.ts";
import type { RoomStorage, Rows } from "../engine/host.ts";
import { entityRow, keyOf } from "../engine/keys.ts";
import { padded } from "../engine/log.ts";
import type { ChannelOwn } from "./state.ts";

const PAGE_PLACES = 64;

function pageRow(page: number): string {
  return `q:${padded(page)}`;
}

function pageOf(seq: number): number {
  return Math.floor((seq - 1) / PAGE_PLACES);
}

/** The ids since the last full page, with the new ones; and the page that thereby became full. */
export function withPlaces(
  own: Pick<ChannelOwn, "seq" | "places">,
  added: readonly MessageId[],
): { places: readonly MessageId[]; rows: Rows } {
  const rows: Record<string, unknown> = {};
  let places = own.places;
  let { seq } = own;
  for (const id of added) {
    seq += 1;
    places = [...places, id];
    if (places.length < PAGE_PLACES) continue;
    rows[pageRow(pageOf(seq))] = places;
    places = [];
  }
  return { places, rows };
}

/** The messages at the places `from` to `to`, both included, oldest first. */
export async function messagesAt(storage: RoomStorage, own: ChannelOwn, from: number, to: number): Promise<Message[]> {
  const first = Math.max(1, own.floor, from);
  const last = Math.min(own.seq, to);
  if (last < first) return [];
  const ids = await idsAt(storage, own, first, last);
  const keys = ids.map((id) => entityRow(keyOf({ kind: "message", id })));
  const rows = await storage.get(keys);
  return keys.map((key) => rows.get(key) as LiveMessage | undefined).filter((message) => message !== undefined);
}

async function idsAt(storage: RoomStorage, own: ChannelOwn, from: number, to: number): Promise<MessageId[]> {
  const inStem = own.seq - own.places.length;
  const ids: MessageId[] = [];
  const pages: string[] = [];
  for (let page = pageOf(from); page <= pageOf(to) && page * PAGE_PLACES < inStem; page += 1) pages.push(pageRow(page));
  const rows = await storage.get(pages);
  for (const page of pages) ids.push(...((rows.get(page) as MessageId[] | undefined) ?? []));
  const before = pages.length > 0 ? pageOf(from) * PAGE_PLACES : inStem;
  return [...ids, ...own.places].slice(from - 1 - before, to - before);
}

/** The newest of them that fit a page, in the same order; at least one. */
export function newestThatFit(messages: readonly Message[], maxBytes: number): Message[] {
  return thatFit(messages.toReversed(), maxBytes).reverse();
}

/** Those nearest to a place that fit a page, in the same order; at least one. */
export function aroundThatFit(messages: readonly Message[], seq: number, maxBytes: number): Message[] {
  const nearestFirst = messages.toSorted((one, other) => Math.abs(one.seq - seq) - Math.abs(other.seq - seq));
  return thatFit(nearestFirst, maxBytes).sort((one, other) => one.seq - other.seq);
}

function thatFit(messages: readonly Message[], maxBytes: number): Message[] {
  const fitting: Message[] = [];
  let bytes = 0;
  for (const message of messages) {
    bytes += bytesOf(message);
    if (bytes > maxBytes && fitting.length > 0) break;
    fitting.push(message);
  }
  return fitting;
}
