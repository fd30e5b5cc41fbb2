/**
 * What became of what people wrote. Pure: takes what was written, what stands in the rooms and what each replica holds,
 * and finds what is lost, doubled, out of order or unequal. Trusts no client's own opinion of it.
 */
import { createHash } from "node:crypto";

/** A message as its author left it: with the last edit, the reactions that stand, or removed. */
export interface Written {
  readonly id: string;
  readonly channel: string;
  readonly author: string;
  /** As typed. */
  readonly text: string;
  readonly isRemoved: boolean;
  /** `emoji by user` */
  readonly reactions: ReadonlySet<string>;
}

/** A message as it stands somewhere. */
export interface Standing {
  readonly id: string;
  readonly seq: number;
  readonly rev: number;
  readonly author: string;
  /** As typed: names for mentions. Empty where removed. */
  readonly text: string;
  readonly isRemoved: boolean;
  /** A line that the room wrote itself. */
  readonly isSystem: boolean;
  readonly reactions: ReadonlySet<string>;
}

/** channel → its messages */
export type Channels = ReadonlyMap<string, readonly Standing[]>;

export interface Evidence {
  /** Everything that was accepted from its author, in the order written. */
  readonly written: readonly Written[];
  /** Read afresh from the rooms. */
  readonly rooms: Channels;
  /** What each person's device holds. */
  readonly replicas: ReadonlyMap<string, Channels>;
  /** Still in an outbox, waiting or refused: `who: what`. */
  readonly left: readonly string[];
  /** A copy's id → the id it was written under; where ids are made anew on sending again. */
  readonly originals: ReadonlyMap<string, string>;
}

export interface Verdict {
  readonly written: number;
  /** Messages that stand nowhere, and edits, deletions or reactions that don't show. */
  readonly lost: number;
  /** Copies beyond the first, and messages that nobody wrote. */
  readonly doubled: number;
  /** The fewest messages that would have to move, so that each author's stand in each channel in the order written. */
  readonly outOfOrder: number;
  /** Replicas that differ from what a fresh reader gets, and rooms whose places have holes. */
  readonly unequal: number;
  readonly replicas: number;
  readonly left: number;
  /** In words, one a line; the first of each kind. */
  readonly findings: readonly string[];
}

export function isClean({ lost, doubled, outOfOrder, unequal, left }: Verdict): boolean {
  return lost + doubled + outOfOrder + unequal + left === 0;
}

/** What the control has to show; that its replicas are equal all the same proves nothing either way. */
export function isFaulty({ lost, doubled, outOfOrder }: Verdict): boolean {
  return lost + doubled + outOfOrder > 0;
}

export function judge(evidence: Evidence): Verdict {
  const findings = new Findings();
  const copies = copiesOf(evidence, findings);
  for (const message of evidence.written) {
    const [first, ...more] = copies.get(message.id) ?? [];
    if (first !== undefined) compare(message, first, findings);
    // Taken back before it was sent, it needs to leave no trace ([OP10]).
    else if (!message.isRemoved) findings.add("lost", `${message.author} wrote "${message.text}": it stands nowhere`);
    for (const copy of more)
      findings.add("doubled", `${message.author}: "${message.text}" stands at ${copy.seq} again`);
  }
  for (const [author, list] of byAuthorAndChannel(evidence.written)) {
    const places = list.flatMap(({ id }) => copies.get(id)?.[0]?.seq ?? []);
    findings.add("out of order", `${author}'s messages stand at ${abridged(places)}`, misplaced(places));
  }
  for (const [channel, messages] of evidence.rooms) {
    const hole = messages.findIndex(({ seq }, at) => seq !== at + 1);
    if (hole >= 0) findings.add("unequal", `in ${channel} place ${hole + 1} is missing`);
  }
  for (const [who, channels] of evidence.replicas) {
    const difference = differenceBetween(evidence.rooms, channels);
    if (difference !== null) findings.add("unequal", `${who}'s replica: ${difference}`);
  }
  for (const item of evidence.left) findings.add("left", item);
  return {
    written: evidence.written.length,
    lost: findings.count("lost"),
    doubled: findings.count("doubled"),
    outOfOrder: findings.count("out of order"),
    unequal: findings.count("unequal"),
    replicas: evidence.replicas.size,
    left: findings.count("left"),
    findings: findings.lines(),
  };
}

/** Written message → its copies in the room, by place. */
function copiesOf({ written, rooms, originals }: Evidence, findings: Findings): Map<string, Standing[]> {
  const known = new Map(written.map((message) => [message.id, message]));
  const copies = new Map<string, Standing[]>();
  for (const [channel, messages] of rooms) {
    for (const message of messages.toSorted((a, b) => a.seq - b.seq)) {
      if (message.isSystem) continue;
      const id = originals.get(message.id) ?? message.id;
      const origin = known.get(id);
      if (origin?.channel === channel && origin.author === message.author) {
        copies.set(id, [...(copies.get(id) ?? []), message]);
      } else findings.add("doubled", `"${message.text}" stands at ${message.seq} in ${channel}, where nobody wrote it`);
    }
  }
  return copies;
}

/** An effect that doesn't show was lost as much as a message. */
function compare(written: Written, standing: Standing, findings: Findings): void {
  const what = `${written.author}'s "${written.text}"`;
  if (written.isRemoved !== standing.isRemoved) {
    findings.add("lost", `${what} ${written.isRemoved ? "was removed and still stands" : "is removed, by nobody"}`);
    return;
  }
  if (written.isRemoved) return;
  if (written.text !== standing.text) findings.add("lost", `${what} stands as "${standing.text}"`);
  const differing = written.reactions.symmetricDifference(standing.reactions);
  for (const reaction of differing) {
    findings.add("lost", `${what}: ${reaction} is ${written.reactions.has(reaction) ? "missing" : "still there"}`);
  }
}

function byAuthorAndChannel(written: readonly Written[]): Map<string, Written[]> {
  return Map.groupBy(written, ({ author, channel }) => `${author} in ${channel}`);
}

/** How many of a list have to move until it ascends: all but its longest ascending run-through. */
export function misplaced(places: readonly number[]): number {
  // tails[n]: the smallest end of an ascending selection of n + 1.
  const tails: number[] = [];
  for (const place of places) {
    const at = tails.findIndex((tail) => tail >= place);
    tails[at < 0 ? tails.length : at] = place;
  }
  return places.length - tails.length;
}

/** One value for all that a reader sees of a channel. */
export function hashOf(messages: readonly Standing[]): string {
  const hash = createHash("sha256");
  for (const { seq, id, text, rev } of messages.toSorted((a, b) => a.seq - b.seq)) {
    hash.update(JSON.stringify([seq, id, text, rev])).update("\n");
  }
  return hash.digest("hex");
}

/** Null where a replica holds what the rooms hold. */
function differenceBetween(rooms: Channels, replica: Channels): string | null {
  for (const [channel, messages] of rooms) {
    const held = replica.get(channel) ?? [];
    if (hashOf(held) === hashOf(messages)) continue;
    const byId = new Map(held.map((message) => [message.id, message]));
    const missing = messages.filter(({ id }) => !byId.has(id));
    const changed = messages.filter((message) => {
      const other = byId.get(message.id);
      return other !== undefined && hashOf([other]) !== hashOf([message]);
    });
    const places = abridged([...missing, ...changed].map(({ seq }) => seq));
    return `${channel} has ${held.length} of ${messages.length}; ${missing.length} missing, ${changed.length} differ (${places})`;
  }
  return null;
}

function abridged(places: readonly number[]): string {
  const shown = places.slice(0, 12).join(" ");
  return places.length > 12 ? `${shown} …` : shown;
}

type Kind = "lost" | "doubled" | "out of order" | "unequal" | "left";
const FINDINGS_PER_KIND = 5;

class Findings {
  readonly #byKind = new Map<Kind, { count: number; lines: string[] }>();

  add(kind: Kind, line: string, count = 1): void {
    if (count === 0) return;
    const of = this.#byKind.get(kind) ?? { count: 0, lines: [] };
    this.#byKind.set(kind, of);
    of.count += count;
    if (of.lines.length < FINDINGS_PER_KIND) of.lines.push(`${kind}: ${line}`);
  }

  count(kind: Kind): number {
    return this.#byKind.get(kind)?.count ?? 0;
  }

  lines(): string[] {
    return [...this.#byKind.values()].flatMap(({ count, lines }) =>
      count > lines.length && lines.length === FINDINGS_PER_KIND ? [...lines, `… ${count} in all`] : lines,
    );
  }
}

/** The verdict as one reads it. */
export function describe(verdict: Verdict): string {
  const { written, lost, doubled, outOfOrder, unequal, replicas, left } = verdict;
  const equal = unequal === 0 ? `${replicas} replicas equal` : `${unequal} of ${replicas} replicas unequal`;
  const rest = left === 0 ? "" : `, ${left} left in outboxes`;
  return `${written} written: ${lost} lost, ${doubled} doubled, ${outOfOrder} out of order, ${equal}${rest}`;
}
