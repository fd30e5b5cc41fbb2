// What a replica promises, whatever is said in its room, comes to it or makes way.
import fc from "fast-check";
import { describe, it } from "vitest";
import { MOVES } from "../test/replica/moves.ts";
import { play, type Move, type MoveName } from "../test/replica/model.ts";

/** `RUNS=20000 npx vitest run --project unit …` tries more. */
const RUNS = Number(process.env["RUNS"] ?? 1_000);
/** These come more often than the others: without them there is little to catch up with. */
const OFTEN: readonly MoveName[] = [
  "post",
  "post",
  "edit",
  "connect",
  "live",
  "pull",
  "compare",
  "read-older",
  "free",
  "reply",
  "start-search",
];
const names = Object.keys(MOVES) as MoveName[];
const move: fc.Arbitrary<Move> = fc.tuple(fc.constantFrom(...names, ...OFTEN), fc.nat(200));
const script = fc.array(move, { maxLength: 90, size: "max" });
/** An empty channel is begun otherwise. */
const beginning = fc.constantFrom<readonly Move[]>(
  [["connect", 0]],
  [
    ["post", 0],
    ["connect", 0],
  ],
);

/** Each broke a promise at some time. */
const FAILED_ONCE: readonly (readonly [what: string, script: readonly Move[]])[] = [
  [
    "what is freed in a gap, but for what an unsent op is about, leaves that in a range",
    [
      ["post", 0],
      ["connect", 0],
      ["flood", 1],
      ["connect", 0],
      ["compare", 0],
      ["have-pin-refused", 1],
      ["free", 0],
    ],
  ],
  [
    "what others wrote in a gap is unread, though a later place of theirs than was heard to is here",
    [
      ["post", 0],
      ["connect", 0],
      ["post", 0],
      ["post", 0],
      ["post", 0],
      ["post", 0],
      // What was edited since comes last: of what was missed, later places are here first.
      ["edit", 1],
      ["edit", 2],
      ["connect", 0],
      ["post", 0],
      ["flood", 0],
      ["connect", 0],
      ["free", 0],
    ],
  ],
  [
    "where a gap closes, what changed since its newest page came is missing there yet",
    [
      ["post", 0],
      ["connect", 0],
      ["flood", 1],
      ["connect", 0],
      ["edit", 3],
      ["compare", 0],
      ["compare", 0],
      ["compare", 0],
      ["compare", 0],
      ["compare", 0],
    ],
  ],
  [
    "what an answer brought to a channel heard of as empty is compared when that is far behind",
    [
      ["connect", 0],
      ["flood", 0],
      ["answer-edit", 1],
    ],
  ],
  [
    "a page of older messages tells the search what it brought that is newer than the cursor",
    [
      ["post", 0],
      ["post", 0],
      ["connect", 0],
      ["start-search", 1],
      ["keep-search", 0],
      ["end-search", 0],
      ["delete", 0],
      ["read-around", 0],
      ["start-search", 1],
      ["search", 0],
    ],
  ],
];

describe("a replica", () => {
  it("keeps what it promises behind each move, and in the end is its room's equal", async () => {
    await fc.assert(
      fc.asyncProperty(beginning, script, (first, then) => play([...first, ...then])),
      { numRuns: RUNS },
    );
  }, 600_000);

  it.each(FAILED_ONCE)("once broke: %s", async (_, script) => play(script));
});
