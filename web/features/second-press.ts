// A list that moves up as one of its rows goes puts the next row's buttons where that one's were: whoever presses twice
// would do to both what was meant for one, and nothing asks.
import type { MouseEvent } from "react";

/** What a double click may take at most. */
const AGAIN_WITHIN_MS = 500;
/** As far apart as a finger sets down twice. */
const SAME_PLACE_PX = 24;

type Press = Pick<MouseEvent, "clientX" | "clientY" | "timeStamp"> & { readonly row: unknown };

/** A page has one pointer. */
let before: Press | null = null;

/**
 * For the capture of clicks on what holds such rows: a press at the place of one just before goes nowhere where something
 * else stands there by now. Keys pass: the focus doesn't go to another row by itself.
 */
export function ignoreSecondPresses(event: MouseEvent): void {
  const { detail, clientX, clientY, timeStamp, target, currentTarget } = event;
  if (detail === 0) return;
  const press = { clientX, clientY, timeStamp, row: (target as Element).closest("li") ?? currentTarget };
  if (before === null || !isAgain(before, press)) {
    before = press;
    return;
  }
  // Who goes on pressing still means the first.
  before = { ...press, row: before.row };
  if (press.row === before.row) return;
  event.preventDefault();
  event.stopPropagation();
}

function isAgain(one: Press, other: Press): boolean {
  const [x, y] = [other.clientX - one.clientX, other.clientY - one.clientY];
  return other.timeStamp - one.timeStamp < AGAIN_WITHIN_MS && Math.hypot(x, y) < SAME_PLACE_PX;
}
