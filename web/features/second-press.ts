// A list that moves up as one of its rows goes puts the next row's buttons where that one's were: whoever presses twice
// would do to both what was meant for one, and whoever presses as a row is delivered does it to its neighbour. Nothing asks.
import type { MouseEvent } from "react";

/** What a double click may take at most. */
export const AGAIN_WITHIN_MS = 500;
/** As far apart as a finger sets down twice. */
const SAME_PLACE_PX = 24;
/** A move is told in fractions of a pixel, a press in whole ones. */
const SAME_SPOT_PX = 2;

type Press = Pick<MouseEvent, "clientX" | "clientY" | "timeStamp"> & { readonly row: unknown };

// A page has one pointer.
let before: Press | null = null;
/** Where it was moved to last, and what stood there then. */
let aimed: Press | null = null;

/** For the capture of a pointer's moves over such rows. A finger isn't seen before it presses. */
export function takeAim(event: MouseEvent): void {
  const aim = pressOf(event);
  // Some browsers tell of a move where only the rows did.
  if (aimed === null || apart(aimed, aim) > 0) aimed = aim;
}

/** For whoever moves the rows themselves, by the wheel. */
export function loseAim(): void {
  aimed = null;
}

/**
 * For the capture of clicks on what holds such rows: a press goes nowhere where something else stands there than at the
 * press just before, or when the pointer was moved there. Keys pass: the focus doesn't go to another row by itself.
 */
export function ignoreSecondPresses(event: MouseEvent): void {
  if (event.detail === 0) return;
  const press = pressOf(event);
  const meant = meantBy(press);
  before = { ...press, row: meant };
  // Whoever presses there later has seen what this one did.
  loseAim();
  if (press.row === meant) return;
  event.preventDefault();
  event.stopPropagation();
}

/** The row. */
function meantBy(press: Press): unknown {
  // Who goes on pressing still means the first.
  if (before !== null && isAgain(before, press)) return before.row;
  return aimed !== null && apart(aimed, press) < SAME_SPOT_PX ? aimed.row : press.row;
}

function pressOf({ clientX, clientY, timeStamp, target, currentTarget }: MouseEvent): Press {
  return { clientX, clientY, timeStamp, row: (target as Element).closest("li") ?? currentTarget };
}

/** In pixels. */
const apart = (one: Press, other: Press): number =>
  Math.hypot(other.clientX - one.clientX, other.clientY - one.clientY);

const isAgain = (one: Press, other: Press): boolean =>
  other.timeStamp - one.timeStamp < AGAIN_WITHIN_MS && apart(one, other) < SAME_PLACE_PX;
