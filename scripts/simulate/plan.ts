/** The whole scenario, chosen beforehand: who writes what where, and what breaks when. Pure: one seed, one plan. */
import type { Line } from "./lines.ts";
import { seeded, type Seeded } from "../../web/test/sim/seeded.ts";

/**
 * How a connection ends. `cut`: reset at once. `lost-ack`: what the server answers is swallowed, then a reset: committed,
 * and never acknowledged. `dead-line`: what the person sends is swallowed, then a reset. `hang`: nothing moves for a
 * while, and nothing says so.
 */
export type CutKind = "cut" | "lost-ack" | "dead-line" | "hang";

/** People and channels by index; `key` is a message's place among all posts of the plan. */
export type Step =
  | {
      readonly do: "post";
      readonly key: number;
      readonly person: number;
      readonly channel: number;
      readonly text: string;
      /** Answers this message, once it has reached the author; else it stands alone. */
      readonly root: number | null;
    }
  | { readonly do: "edit"; readonly key: number; readonly text: string }
  | { readonly do: "remove"; readonly key: number }
  | {
      readonly do: "react";
      readonly key: number;
      readonly person: number;
      readonly emoji: string;
      readonly on: boolean;
    }
  | {
      readonly do: "cut";
      readonly person: number;
      readonly how: CutKind;
      /** From the first lost byte to the reset. */
      readonly lossMs: number;
      /** How long nothing gets through after that. */
      readonly downMs: number;
    }
  | { readonly do: "kill" };

type Post = Extract<Step, { do: "post" }>;
export type Cut = Extract<Step, { do: "cut" }>;

export interface PlanInput {
  readonly lines: readonly Line[];
  readonly personOf: (nick: string) => number;
  readonly people: number;
  readonly channels: number;
  readonly cuts: number;
  readonly kills: number;
  readonly seed: number;
  /** Edits, deletions, reactions and replies too. */
  readonly isMixed: boolean;
}

const EMOJI = ["👍", "❤️", "😂", "🎉", "😮", "😢"] as const;
const EDITED = 0.03;
const EDITED_AGAIN = 0.3;
const REMOVED = 0.006;
const REACTED = 0.06;
const REACTION_TAKEN_BACK = 0.15;
const REPLIED = 0.06;
/** How far back a reply or a reaction reaches, in posts of its channel. */
const REACH = 12;
/** How often each is met: an ack that is lost tells a good client from a bad one. */
const CUT_KINDS: readonly CutKind[] = ["lost-ack", "cut", "lost-ack", "dead-line", "cut", "lost-ack", "hang"];
/** Long enough for a post to be committed and answered; a plain cut hits whatever is half done. */
const LOSS_MS: Readonly<Record<CutKind, number>> = { cut: 60, "lost-ack": 900, "dead-line": 900, hang: 6_000 };
const DOWN_MS = 3_000;

export function planOf(input: PlanInput): Step[] {
  const random = seeded(input.seed);
  // Nobody answers or marks these: whether a reaction beats a deletion to the room is not for a plan to say.
  const removed = new Set(input.lines.flatMap((_, key) => (input.isMixed && random.chance(REMOVED) ? [key] : [])));
  const posts = interleave(input, removed, random);
  const faults = faultsOf(input, posts, random);
  return posts.flatMap((post, at) => [
    ...(faults.get(at) ?? []),
    post,
    ...(input.isMixed ? followUps(post, posts, removed, input.people, random) : []),
  ]);
}

/** Each channel gets a stretch of its own, so that it reads like a conversation; the channels talk at the same time. */
function interleave(input: PlanInput, removed: ReadonlySet<number>, random: Seeded): Post[] {
  const { lines, personOf, channels, isMixed } = input;
  const share = Math.ceil(lines.length / channels);
  const stretches = Array.from({ length: channels }, (_, at) => lines.slice(at * share, (at + 1) * share));
  const posts: Post[] = [];
  const said = stretches.map(() => 0);
  while (posts.length < lines.length) {
    const open = stretches.flatMap((stretch, channel) => (stretch.length > said[channel]! ? [channel] : []));
    const channel = random.pick(open);
    const line = stretches[channel]![said[channel]!]!;
    said[channel]! += 1;
    const isReply = isMixed && random.chance(REPLIED);
    const near = isReply ? lately(posts, posts.length, channel, removed).filter(({ root }) => root === null) : [];
    posts.push({
      do: "post",
      key: posts.length,
      person: personOf(line.nick),
      channel,
      text: line.text,
      root: near.length === 0 ? null : random.pick(near).key,
    });
  }
  return posts;
}

/** The newest of a channel before `end`, as far as they are near at all. */
function lately(posts: readonly Post[], end: number, channel: number, removed: ReadonlySet<number>): Post[] {
  const near = posts.slice(Math.max(0, end - REACH * REACH), end);
  return near.filter((post) => post.channel === channel && !removed.has(post.key)).slice(-REACH);
}

function followUps(
  post: Post,
  posts: readonly Post[],
  removed: ReadonlySet<number>,
  people: number,
  random: Seeded,
): Step[] {
  const steps: Step[] = [];
  if (random.chance(EDITED)) {
    steps.push({ do: "edit", key: post.key, text: `${post.text} (edited)` });
    if (random.chance(EDITED_AGAIN)) steps.push({ do: "edit", key: post.key, text: `${post.text} (edited twice)` });
  }
  const near = random.chance(REACTED) ? lately(posts, post.key + 1, post.channel, removed) : [];
  if (near.length > 0) {
    const { key } = random.pick(near);
    const reaction = { do: "react", key, person: random.below(people), emoji: random.pick(EMOJI) } as const;
    steps.push({ ...reaction, on: true });
    if (random.chance(REACTION_TAKEN_BACK)) steps.push({ ...reaction, on: false });
  }
  if (removed.has(post.key)) steps.push({ do: "remove", key: post.key });
  return steps;
}

/** Cuts stand before a post of the person they hit, so that something is on its way; kills are spread evenly. */
function faultsOf({ cuts, kills }: PlanInput, posts: readonly Post[], random: Seeded): Map<number, Step[]> {
  const faults = new Map<number, Step[]>();
  const add = (at: number, step: Step): void => void faults.set(at, [...(faults.get(at) ?? []), step]);
  for (let cut = 0; cut < cuts; cut += 1) {
    // One in each stretch: spread over the run, and never two at the same place while there are enough posts.
    const at = Math.min(posts.length - 1, Math.floor(((cut + random.next()) * posts.length) / cuts));
    const how = CUT_KINDS[cut % CUT_KINDS.length]!;
    const lossMs = Math.round(LOSS_MS[how] * (0.5 + random.next()));
    add(at, { do: "cut", person: posts[at]!.person, how, lossMs, downMs: random.below(DOWN_MS) });
  }
  for (let kill = 1; kill <= kills; kill += 1) add(Math.floor((kill * posts.length) / (kills + 1)), { do: "kill" });
  return faults;
}
