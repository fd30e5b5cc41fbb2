// Search as one workspace's screens hold it: what is typed becomes a question to the tab's worker, and what waits in the
// outbox is laid over its answer by the same reducers as in the timeline.
import type { LiveMessage, Message } from "#protocol/entities/message.ts";
import type { Kind } from "#protocol/entities/entity.ts";
import type { ChannelId } from "#protocol/ids.ts";
import type { Lookup } from "#protocol/ops/op.ts";
import { parseRoomName, type RoomName } from "#protocol/room-name.ts";
import { messageById } from "../../store/messages.ts";
import { entityKey, overlay } from "../../store/overlay.ts";
import type { Replica } from "../../store/replica.ts";
import { isWhole } from "../../store/keep.ts";
import type { OutboxRecord } from "../../store/schema.ts";
import type { Delivery } from "../../store/snapshots.ts";
import { derive } from "../../store/source.ts";
import type { Store } from "../../store/store.ts";
import type { View } from "../../store/view.ts";
import { isWaitingChange } from "../../store/waiting-change.ts";
import { roomsOf, type Extent } from "./asked.ts";
import { parseQuery, type Directory, type QueryFault } from "./parse-query.ts";
import { docOf, isMatch, type Query } from "./query.ts";
import type { Order } from "./search-index.ts";
import type { LinkStatus, WorkerLink } from "./worker-link.ts";

export interface Result {
  readonly channel: ChannelId;
  readonly message: LiveMessage;
  readonly delivery: Delivery;
  /** It is shown as it will be, once what was changed in it has been delivered. */
  readonly hasWaitingChange: boolean;
}

export interface Answered {
  /** Null where nothing was asked, or a fault leaves nothing to answer. */
  readonly query: Query | null;
  readonly faults: readonly QueryFault[];
  readonly total: number;
  readonly results: readonly Result[];
  readonly extent: Extent;
  readonly incompleteCount: number;
}

export interface Search {
  readonly status: View<LinkStatus>;
  readonly directory: () => Directory;
  /** Joined channels whose older messages aren't all on this device. */
  readonly incompleteCount: View<number>;
  /** Null where it was typed over, or there is no worker to ask. */
  readonly ask: (typed: string, order: Order, limit: number) => Promise<Answered | null>;
}

export interface SearchDeps {
  readonly store: Store;
  readonly replica: Replica;
  readonly link: WorkerLink;
  readonly now: () => number;
}

export function searchOf({ store, replica, link, now }: SearchDeps): Search {
  const rooms = roomsOf(replica.workspace);
  const directory = (): Directory => ({
    me: replica.me,
    people: replica.list("member").map(({ id, name }) => ({ user: id, name })),
    channels: replica
      .list("channel")
      .flatMap((channel) => (channel.deleted ? [] : [{ id: channel.id, name: channel.name }])),
  });
  const incomplete = derive(replica, replica.version, () => incompleteIn(replica));
  return {
    status: link.status,
    directory,
    incompleteCount: incomplete,
    ask: async (typed, order, limit) => {
      await replica.loaded;
      const { query, faults } = parseQuery(typed, directory(), now());
      const answer = await link.ask(rooms, query === null ? null : { query, order, limit, now: now() });
      if (answer === null) return null;
      const laid = await layOver(store, replica, query);
      const extent = extended(answer.extent, laid);
      const incompleteCount = incomplete.snapshot();
      if (query === null) return { query, faults, total: 0, results: [], extent, incompleteCount };
      const sent = answer.hits.flatMap(({ room, message }) => resultOf(room, message, "sent"));
      const results = [...laid.results, ...sent.filter(({ message }) => !laid.changed.has(message.id))];
      return {
        query,
        faults,
        // What an edit outdates counts only if it is in the index already: it may not have been read yet.
        total: Math.max(results.length, answer.total - laid.outdatedCount + laid.results.length),
        // What waits was written last; among the best it comes first, for it has no rank.
        results: order === "newest" ? results.toSorted(newestFirst) : results,
        extent,
        incompleteCount,
      };
    },
  };
}

function newestFirst(one: Result, other: Result): number {
  return other.message.createdAt - one.message.createdAt;
}

function resultOf(room: RoomName, message: Message, delivery: Delivery, hasWaitingChange = false): Result[] {
  const ref = parseRoomName(room);
  if (ref?.party !== "channel" || message.deleted) return [];
  return [{ channel: ref.channel, message, delivery, hasWaitingChange }];
}

interface Laid {
  readonly changed: ReadonlySet<string>;
  /** Of those changed, how many answered as the room knows them. */
  readonly outdatedCount: number;
  readonly results: readonly Result[];
  /** How many more there are to search than the room knows; fewer where deletions wait. */
  readonly more: number;
  /** Of those that wait the oldest; epoch ms. */
  readonly oldestAt: number | null;
}

/** What waits is searched as well. */
function extended({ count, oldestAt }: Extent, laid: Laid): Extent {
  const all = count + laid.more;
  const oldest = Math.min(oldestAt ?? Infinity, laid.oldestAt ?? Infinity);
  return { count: all, oldestAt: all <= 0 || oldest === Infinity ? null : oldest };
}

async function layOver(store: Store, replica: Replica, query: Query | null): Promise<Laid> {
  const pending = Map.groupBy(replica.outbox().filter(isOfMessage), ({ room }) => room);
  const changed = new Set<string>();
  const results: Result[] = [];
  let outdatedCount = 0;
  let more = 0;
  let oldestAt: number | null = null;
  for (const [room, ops] of pending) {
    const ids = [...new Set(ops.flatMap(idsOf))];
    const held = await store.read(["messages"], (tx) => Promise.all(ids.map((id) => messageById(tx, room, id))));
    const confirmed = new Map(held.flatMap((message) => (message === undefined ? [] : [[message.id, message]])));
    const lookup = ((kind: Kind, id: string) =>
      kind === "message" ? confirmed.get(id as Message["id"]) : undefined) as Lookup;
    const laid = overlay(lookup, ops, replica.me);
    for (const entity of laid.changed.values()) {
      if (entity.kind !== "message") continue;
      const before = confirmed.get(entity.id);
      changed.add(entity.id);
      more += Number(docOf(room, entity) !== null) - Number(before !== undefined && docOf(room, before) !== null);
      if (before === undefined && !entity.deleted) oldestAt = Math.min(oldestAt ?? Infinity, entity.createdAt);
      if (before !== undefined && answers(room, before, query)) outdatedCount += 1;
      if (!answers(room, entity, query)) continue;
      const itsOps = laid.touches.flatMap(({ key, op }) => (key === entityKey("message", entity.id) ? [op] : []));
      const delivery = before !== undefined ? "sent" : itsOps[0]?.refusal === undefined ? "queued" : "refused";
      results.push(...resultOf(room, entity, delivery, itsOps.some(isWaitingChange)));
    }
  }
  return { changed, outdatedCount, results: results.toSorted(newestFirst), more, oldestAt };
}

function answers(room: RoomName, message: Message, query: Query | null): boolean {
  const doc = docOf(room, message);
  return query !== null && doc !== null && isMatch(doc, query);
}

function isOfMessage({ op }: OutboxRecord): boolean {
  return op.startsWith("message.");
}

function idsOf(op: OutboxRecord): Message["id"][] {
  if (op.op === "message.post") return op.args.root === undefined ? [op.args.id] : [op.args.id, op.args.root];
  const isChange =
    op.op === "message.edit" || op.op === "message.delete" || op.op === "message.react" || op.op === "message.pin";
  return isChange ? [op.args.id] : [];
}

/** Joined and known to the workspace's room: one made here that it hasn't heard of is here as a whole. */
function incompleteIn(replica: Replica): number {
  return replica
    .list("membership")
    .filter(({ user, deleted }) => deleted !== true && user === replica.me)
    .filter(({ channel }) => replica.confirmed("channel", channel) !== undefined)
    .filter(({ channel }) => !isWhole(replica, channel)).length;
}
