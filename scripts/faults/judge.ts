/**
 * What became of what people typed: the invariants I1 to I6 over one stretch of a channel, for the rows of the fault
 * matrix and for the campaign alike. Pure, and trusts no client's own opinion: the room is read afresh over HTTP.
 */
import { misplaced } from "../simulate/verdict.ts";

/** A text that a composer took, in the order typed by its author. */
export interface Typed {
  readonly author: string;
  readonly text: string;
}

/** A message as it stands in the room, or lies on a device. */
export interface Stands {
  readonly seq: number;
  readonly id: string;
  readonly text: string;
}

/** One line of a screen. */
export interface Line extends Omit<Stands, "seq"> {
  readonly seq: number | null;
  /** `queued`, `sending`, `sent`, `refused` */
  readonly delivery: string;
}

export interface Member {
  readonly name: string;
  readonly screen: readonly Line[];
  /** The replica of this stretch. */
  readonly held: readonly Stands[];
  /** What is still in the outbox: texts, and what else is to become of a message. */
  readonly left: readonly string[];
  /** Of what was typed and not deleted, what this screen doesn't show. */
  readonly unshown?: readonly string[];
}

export interface Evidence {
  /** As each was edited last; without what its author deleted. */
  readonly typed: readonly Typed[];
  /** How often their authors edited one. */
  readonly edited?: number;
  /** What their authors deleted. */
  readonly deleted?: readonly string[];
  /** Author → user id, as the room names them. */
  readonly users: ReadonlyMap<string, string>;
  /** What was deleted keeps its place, and is no text. */
  readonly room: readonly (Stands & { readonly author: string; readonly isDeleted?: boolean })[];
  readonly members: readonly Member[];
  /** Texts that a composer didn't take. */
  readonly refused: readonly string[];
  /** Texts shown as sent while no answer could have come. */
  readonly early: readonly string[];
}

export interface Verdict {
  readonly messages: number;
  readonly edited: number;
  readonly deleted: number;
  readonly lost: number;
  readonly doubled: number;
  readonly outOfOrder: number;
  readonly refused: number;
  readonly early: number;
  /** Screens and replicas that differ from the room. */
  readonly unequal: number;
  readonly left: number;
  /** In words, one a line. */
  readonly findings: readonly string[];
}

export const FAULTS = ["lost", "doubled", "outOfOrder", "refused", "early", "unequal", "left"] as const;

export function isClean(verdict: Verdict): boolean {
  return FAULTS.every((kind) => verdict[kind] === 0);
}

export function judge(evidence: Evidence): Verdict {
  const { typed, users, room, members, refused, early, edited = 0, deleted = [] } = evidence;
  const findings: string[] = [];
  const standing = room.filter(({ isDeleted }) => isDeleted !== true);
  const places = Map.groupBy(standing, ({ text }) => text);
  // I1: everything accepted stands in the room exactly once, under its author's name.
  let lost = 0;
  let doubled = 0;
  for (const { author, text } of typed) {
    const copies = places.get(text) ?? [];
    if (copies.length === 0) {
      lost += 1;
      findings.push(`lost: ${author}'s "${text}"`);
    }
    if (copies.length > 1) {
      doubled += copies.length - 1;
      findings.push(`doubled: ${author}'s "${text}" stands at ${copies.map(({ seq }) => seq).join(", ")}`);
    }
    for (const copy of copies) {
      if (copy.author === users.get(author)) continue;
      doubled += 1;
      findings.push(`doubled: "${text}" stands under another name`);
    }
  }
  const known = new Set(typed.map(({ text }) => text));
  for (const { text, seq } of standing) {
    if (known.has(text)) continue;
    doubled += 1;
    findings.push(`doubled: "${text}" stands at ${seq}, and nobody wrote it`);
  }
  // I2: each author's stand in the order typed.
  let outOfOrder = 0;
  for (const [author, list] of Map.groupBy(typed, ({ author }) => author)) {
    const seqs = list.flatMap(({ text }) => places.get(text)?.[0]?.seq ?? []);
    const moved = misplaced(seqs);
    outOfOrder += moved;
    if (moved > 0) findings.push(`out of order: ${author}'s stand at ${seqs.join(" ")}`);
  }
  // I3 and I6: every screen and every replica holds what the room holds.
  let unequal = 0;
  const truth = room.map(placeOf).join("\n");
  const textOf = new Map(room.map(({ id, text }) => [id, text]));
  for (const { name, screen, held, unshown = [] } of members) {
    for (const [what, list] of [
      ["screen", screen],
      ["replica", held],
    ] as const) {
      if (list.map(placeOf).join("\n") === truth) continue;
      unequal += 1;
      findings.push(`unequal: ${name}'s ${what}: ${differenceOf(room, list)}`);
    }
    const other = held.filter(({ id, text }) => textOf.has(id) && textOf.get(id) !== text);
    const back = deleted.filter((text) => screen.some((line) => line.text.includes(firstWordOf(text))));
    unequal += other.length + unshown.length + back.length;
    findings.push(
      ...other.map(({ id, text }) => `unequal: ${name} holds "${text}" where the room has "${textOf.get(id)}"`),
      ...back.map((text) => `unequal: ${name}'s screen shows "${text}", which was deleted`),
      ...unshown.map((text) => `unequal: ${name}'s screen doesn't show "${text}"`),
    );
    const waiting = screen.filter(({ delivery }) => delivery !== "sent");
    if (waiting.length > 0) {
      unequal += 1;
      findings.push(
        `unequal: ${name}'s screen says ${waiting.map((line) => `${line.delivery}: ${line.text}`).join(", ")}`,
      );
    }
  }
  // I4 and I5.
  const left = members.flatMap(({ name, left }) => left.map((text) => `left: ${name}'s "${text}"`));
  findings.push(
    ...refused.map((text) => `refused: "${text}"`),
    ...early.map((text) => `early: "${text}" was shown as sent`),
    ...left,
  );
  return {
    messages: typed.length + deleted.length,
    edited,
    deleted: deleted.length,
    lost,
    doubled,
    outOfOrder,
    refused: refused.length,
    early: early.length,
    unequal,
    left: left.length,
    findings,
  };
}

/** With the space behind it: the first of ten isn't the tenth. */
const firstWordOf = (text: string): string => text.slice(0, text.indexOf(" ") + 1) || text;

const placeOf = ({ seq, id }: { readonly seq: number | null; readonly id: string }): string => `${seq} ${id}`;

function differenceOf(
  room: readonly Stands[],
  list: readonly { readonly seq: number | null; readonly id: string }[],
): string {
  const has = new Set(list.map(placeOf));
  const missing = room.filter((message) => !has.has(placeOf(message))).map(({ seq }) => seq);
  const stands = new Set(room.map(placeOf));
  const extra = list.filter((message) => !stands.has(placeOf(message))).map(({ seq }) => seq);
  return `${list.length} of ${room.length}; missing ${missing.join(" ") || "none"}; beyond ${extra.join(" ") || "none"}`;
}
