// A channel's replica against its room, in a script of moves. Behind each move the replica keeps what it promises, and in
// the end it is the room's equal.
import { brokenAtTheEnd, brokenNow } from "./promises.ts";
import { ModelDevice } from "./device.ts";
import { MOVES } from "./moves.ts";

export type MoveName = keyof typeof MOVES;
/** With a number that says which message, how far and by which way; any does. */
export type Move = readonly [name: MoveName, at: number];

/** Turns in which whatever was left behind is caught up with. */
const TURNS_MAX = 400;

/** Throws with what is broken, and what was done until then. */
export async function play(script: readonly Move[]): Promise<void> {
  const device = new ModelDevice();
  await device.lead();
  const done: Move[] = [];
  const make = async (move: Move): Promise<void> => {
    done.push(move);
    const [name, at] = move;
    await MOVES[name](device, at);
    await device.keeps(brokenNow);
  };
  try {
    for (const move of script) await make(move);
    await catchUp(device, make);
    await device.search.start();
    await device.finds();
    await device.keeps(brokenAtTheEnd);
  } catch (cause) {
    throw new Error(done.map((move) => move.join(" ")).join(", "), { cause });
  }
}

/** Over a new line, until all is held. */
async function catchUp(device: ModelDevice, make: (move: Move) => Promise<void>): Promise<void> {
  await make(["cut", 0]);
  for (let turn = 0; turn < TURNS_MAX; turn++) {
    const next = await nextFor(device);
    if (next === null) return;
    await make(next);
  }
}

/** What is still needed to hold all; null where nothing is. */
async function nextFor({ room, replica, link }: ModelDevice): Promise<Move | null> {
  if (link === null) return ["connect", 0];
  const { cursor, second, ranges } = await replica.read();
  if ((cursor ?? 0) < room.head) return ["pull", 0];
  if (second !== null) return ["compare", 0];
  return (ranges.at(-1)?.from ?? 1) > 1 ? ["read-older", 1] : null;
}
