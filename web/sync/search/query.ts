// A question as the index understands it, names resolved to ids; and whether one message answers it, the plain way: what
// the index finds faster must be the same (a property test holds it to that), and results are checked by it once more
// before they are shown.
import type { Message } from "#protocol/entities/message.ts";
import type { ChannelId, UserId } from "#protocol/ids.ts";
import { parseRoomName, type RoomName } from "#protocol/room-name.ts";
import { tokensOf, type Run } from "./fold.ts";

/** What a message has besides words; several are added up. */
export const FACTS = { link: 1, code: 2, reaction: 4, pin: 8, file: 16, thread: 32 } as const;
export type Fact = keyof typeof FACTS;

/** Any of these stands in the text; or, where it is excluded, none. */
export interface Clause {
  readonly isExcluded: boolean;
  readonly ways: readonly Run[];
}

export interface Query {
  readonly clauses: readonly Clause[];
  /** Null: by anybody. */
  readonly from: readonly UserId[] | null;
  readonly notFrom: readonly UserId[];
  readonly in: readonly ChannelId[] | null;
  readonly notIn: readonly ChannelId[];
  /** Sums of `FACTS`: all of these, none of those. */
  readonly has: number;
  readonly hasNot: number;
  /** Epoch ms; the room's time from `since` on, up to but without `until`. */
  readonly since: number | null;
  readonly until: number | null;
}

/** Asks for nothing in particular: every message answers it. */
export const EVERYTHING: Query = {
  clauses: [],
  from: null,
  notFrom: [],
  in: null,
  notIn: [],
  has: 0,
  hasNot: 0,
  since: null,
  until: null,
};

/** A message as the index holds it. */
export interface Doc {
  readonly room: RoomName;
  readonly seq: number;
  readonly rev: number;
  /** Epoch ms, never changed: together with room and seq it is the message's place in the index. */
  readonly at: number;
  readonly author: UserId;
  readonly facts: number;
  readonly text: string;
}

const LINK = /\bhttps?:\/\/|\bwww\.\w/iu;
const BACKTICKS = /`+/gu;
const FENCE = /^ {0,3}(?:```|~~~)/mu;

/** Null for what is never found: tombstones, and the lines that a room writes itself. */
export function docOf(room: RoomName, message: Message): Doc | null {
  if (message.deleted || message.system !== undefined) return null;
  const { seq, rev, createdAt, author, text } = message;
  return { room, seq, rev, at: createdAt, author, facts: factsOf(message), text };
}

function factsOf(message: Extract<Message, { text: string }>): number {
  const { text, reactions = {}, root, replies, pinned } = message;
  const held: Readonly<Record<Fact, boolean>> = {
    link: LINK.test(text),
    code: hasCode(text),
    reaction: Object.values(reactions).some((people) => people.length > 0),
    pin: pinned !== undefined,
    // Messages of this build have none; those of a later one may.
    file: "attachments" in message && Array.isArray(message.attachments) && message.attachments.length > 0,
    thread: root !== undefined || (replies?.count ?? 0) > 0,
  };
  return Object.entries(FACTS).reduce((sum, [fact, value]) => sum + (held[fact as Fact] ? value : 0), 0);
}

/** Between backticks there is code where as many stand together a second time. */
function hasCode(text: string): boolean {
  const runs = text.match(BACKTICKS) ?? [];
  return new Set(runs).size < runs.length || FENCE.test(text);
}

export function isMatch(doc: Doc, query: Query): boolean {
  return hasPlace(doc, query) && query.clauses.every((clause) => isSaid(doc.text, clause));
}

function hasPlace({ room, at, author, facts }: Doc, query: Query): boolean {
  const ref = parseRoomName(room);
  const channel = ref?.party === "channel" ? ref.channel : null;
  if (channel === null || query.in?.includes(channel) === false || query.notIn.includes(channel)) return false;
  if (query.from?.includes(author) === false || query.notFrom.includes(author)) return false;
  if ((facts & query.has) !== query.has || (facts & query.hasNot) !== 0) return false;
  return at >= (query.since ?? -Infinity) && at < (query.until ?? Infinity);
}

function isSaid(text: string, { ways, isExcluded }: Clause): boolean {
  const tokens = tokensOf(text);
  return ways.some((run) => tokens.some((_, at) => standsAt(tokens, at, run))) !== isExcluded;
}

/** Whether the run stands in these tokens from this place on. */
export function standsAt(tokens: readonly { readonly term: string }[], at: number, { terms, isOpen }: Run): boolean {
  return terms.every((term, i) => {
    const said = tokens[at + i]?.term;
    return isOpen && i === terms.length - 1 ? said?.startsWith(term) === true : said === term;
  });
}
