// Tells a person's scrolling from the browser's. When rows or the window change their size, the list is moved by the
// browser and by the virtual list; that must not count as having scrolled away from the newest.

/** Scrolling that begins or goes on this soon after a wheel, a touch or a key is the person's; momentum included. */
const MOVED_WITHIN_MS = 250;
/** A scroll bar may be held for a while before it is moved. */
const PRESSED_WITHIN_MS = 3_000;
/** What moves by itself this soon after a change of size was moved by it. */
const RESIZED_WITHIN_MS = 300;

/** All times are `performance.now()`. */
export interface ScrollIntent {
  readonly moved: (now: number) => void;
  readonly pressed: (now: number) => void;
  readonly resized: (now: number) => void;
  /**
   * Also without any input where nothing changed its size: finding in the page, a screen reader, focus.
   * @param isSameSize the list is as high as when it was last heard of; where a machine is slow, it may have been
   * measured long before one hears of it, or after
   */
  readonly isByPerson: (now: number, isSameSize: boolean) => boolean;
}

export function scrollIntent(): ScrollIntent {
  let personUntil = 0;
  // Until the list has measured itself for the first time.
  let resizedUntil = Number.POSITIVE_INFINITY;
  const until = (time: number): void => {
    personUntil = Math.max(personUntil, time);
  };
  return {
    moved: (now) => until(now + MOVED_WITHIN_MS),
    pressed: (now) => until(now + PRESSED_WITHIN_MS),
    resized: (now) => {
      resizedUntil = now + RESIZED_WITHIN_MS;
    },
    isByPerson: (now, isSameSize) => {
      if (now < personUntil) until(now + MOVED_WITHIN_MS);
      return now < personUntil || (isSameSize && now >= resizedUntil);
    },
  };
}
