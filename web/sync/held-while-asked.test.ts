// What is held back while its person is asked once more, and by whom it is let go.
import { beforeEach, expect, it } from "vitest";
import type { UserId } from "#protocol/ids.ts";
import { HELD_BACK_FOR_MS } from "./held-back-for.ts";
import { type HeldWhileAsked, heldWhileAsked } from "./held-while-asked.ts";

const [OLGA, MARA] = ["olga" as UserId, "mara" as UserId];

let timers: { run: () => void; ms: number }[];
let held: HeldWhileAsked;
/** A dialog that asks, and what holds back for it. */
const asking = (user: UserId, over = new AbortController()) => {
  const dialog = new AbortController();
  held.hold({ user, over, closed: dialog.signal });
  return { over, dialog };
};

beforeEach(() => {
  timers = [];
  held = heldWhileAsked({ set: (run, ms) => timers.push({ run, ms }), clear: () => undefined });
});

it("is held until the dialog is gone", () => {
  const { over, dialog } = asking(OLGA);
  expect([held.isHeld(over), over.signal.aborted]).toEqual([true, false]);
  dialog.abort();
  expect([held.isHeld(over), over.signal.aborted]).toEqual([false, true]);
});

it("is held for so long at most", () => {
  const { over } = asking(OLGA);
  for (const { run, ms } of timers) if (ms <= HELD_BACK_FOR_MS) run();
  expect(over.signal.aborted).toBe(true);
});

it("is the next press's, whatever becomes of the dialog that asked before", () => {
  const { over, dialog } = asking(OLGA);
  expect(held.takeOver(OLGA)).toBe(over);
  expect(held.isHeld(over)).toBe(false);
  const again = asking(OLGA, over);
  dialog.abort();
  timers[0]?.run();
  expect([held.isHeld(over), over.signal.aborted]).toEqual([true, false]);
  again.dialog.abort();
  expect(over.signal.aborted).toBe(true);
});

it("ends where somebody else is here, who holds nothing of it", () => {
  const { over } = asking(OLGA);
  expect(held.takeOver(MARA)).toBeNull();
  expect(over.signal.aborted).toBe(true);
  const [first, second] = [asking(OLGA), asking(MARA)];
  expect([first.over.signal.aborted, second.over.signal.aborted]).toEqual([true, false]);
});
