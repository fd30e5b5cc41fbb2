// Where the list stands: at the newest, which it follows; on its way to a message that a link led to; or where a person
// scrolled to. It keeps that, whatever arrives above, below or in between.
import { useLayoutEffect, useRef, useState, type PointerEvent, type RefObject, type WheelEvent } from "react";
import type { VirtualizerHandle } from "virtua";
import type { MessageId } from "#protocol/ids.ts";
import { placeOf, type Movement } from "./rows.ts";
import { scrollIntent } from "./scroll-intent.ts";

/** Nearer to the newest than this counts as standing there; px. */
const AT_END_WITHIN_PX = 32;

interface Standing {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly list: RefObject<VirtualizerHandle | null>;
  /**
   * A step further towards the target. Answers whether there is another to wait for.
   *
   * @param isOnWay it may still come
   */
  readonly reach: (isOnWay?: boolean) => boolean;
  /** The list was moved, by whomever. */
  readonly onScroll: () => void;
  /** The list, its rows or its window changed their size. */
  readonly onResize: () => void;
  /** A person moves it: by finger or key. */
  readonly onMove: () => void;
  readonly onWheel: (event: WheelEvent) => void;
  readonly onPress: (event: PointerEvent) => void;
  /** Follows the newest from now on. */
  readonly follow: () => void;
  readonly toEnd: () => void;
}

/** What stands below the screen. */
export function belowOf(list: VirtualizerHandle): { readonly px: number; readonly isEnd: boolean } {
  const px = list.scrollSize - list.viewportSize - list.scrollOffset;
  return { px, isEnd: px < AT_END_WITHIN_PX };
}

/**
 * The first message of which something is on the screen, as the page has it: right behind rows that came above, the list
 * still tells the offset from before, at which one of those would stand.
 */
export function firstShown(scroller: HTMLElement): MessageId | null {
  const { top } = scroller.getBoundingClientRect();
  const articles = [...scroller.querySelectorAll<HTMLElement>("article")];
  const first = articles.find((article) => article.getBoundingClientRect().bottom > top);
  return (first?.dataset["messageId"] ?? null) as MessageId | null;
}

interface Wanted {
  readonly target: MessageId | null;
  readonly way: number;
  readonly written: MessageId | null;
  readonly editing: MessageId | null;
}

/**
 * @param target the message that a link led to; with another `way` it led there again
 * @param written the last message that was written here
 * @param editing the message that is being edited
 * @param last what stands last
 */
export function useStanding(
  { rows, generation }: Movement,
  { target, way, written, editing }: Wanted,
  last: MessageId | undefined,
): Standing {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  /** Where we scrolled to ourselves, until something else moves the list: heard of late, it is no person's doing. */
  const placed = useRef<number | null>(null);
  /** How high the list was when it was last placed or heard of. */
  const height = useRef(0);
  /** Whether what arrives below is followed. */
  const isFollowing = useRef(true);
  /** The message that a link led to, until it stands in the middle; a person's own scrolling ends that. */
  const reaching = useRef<MessageId | null>(null);
  const [intent] = useState(scrollIntent);
  const box = useRef("");

  /**
   * Once, and at once. The list's own `scrollTo` and `scrollToIndex` go on scrolling there at every measuring, until
   * none came for 150 ms, and take back what a person scrolled meanwhile; here whoever measures asks again.
   */
  function scrollTo(top: number): void {
    const at = scroller.current;
    at?.scrollTo({ top, behavior: "instant" });
    placed.current = at?.scrollTop ?? null;
    height.current = at?.scrollHeight ?? 0;
  }

  const toEnd = (): void => scrollTo(scroller.current?.scrollHeight ?? 0);

  /** Step by step, for every step measures rows that were only guessed. */
  function reach(isOnWay = false): boolean {
    const at = list.current;
    const index = placeOf(rows, reaching.current);
    if (at === null || index < 0) return isOnWay && reaching.current !== null;
    isFollowing.current = false;
    const middle = middleOf(at, index);
    if (middle !== null && Math.abs(at.scrollOffset - middle) <= 1) reaching.current = null;
    else if (middle !== null) scrollTo(middle);
    return reaching.current !== null;
  }

  function onScroll(): void {
    const at = list.current;
    const { clientWidth = 0, clientHeight = 0, scrollTop = 0, scrollHeight = 0 } = scroller.current ?? {};
    if (at === null) return;
    if (scrollTop !== placed.current) placed.current = null;
    // The browser moves what it shows before anybody hears of its new size.
    if (box.current !== `${clientWidth} ${clientHeight}`) intent.resized(performance.now());
    box.current = `${clientWidth} ${clientHeight}`;
    const isSameSize = height.current === scrollHeight;
    height.current = scrollHeight;
    if (placed.current === null && intent.isByPerson(performance.now(), isSameSize)) {
      isFollowing.current = belowOf(at).isEnd;
    } else if (isFollowing.current) toEnd();
  }

  function onResize(): void {
    intent.resized(performance.now());
    if (!isFollowing.current) height.current = scroller.current?.scrollHeight ?? 0;
    if (!reach() && isFollowing.current) toEnd();
  }

  function onMove(): void {
    reaching.current = null;
    placed.current = null;
    intent.moved(performance.now());
  }

  function onWheel({ deltaY }: WheelEvent): void {
    onMove();
    // On a busy machine the scrolling comes so late that it would pass for the browser's own.
    if (deltaY < 0 && (list.current?.scrollOffset ?? 0) > 0) isFollowing.current = false;
  }

  useLayoutEffect(() => {
    reaching.current = target;
  }, [target, way]);

  // Who begins to edit stays there: led away, one would type on into the composer.
  useLayoutEffect(() => {
    if (editing !== null) reaching.current = null;
  }, [editing]);

  useLayoutEffect(() => {
    if (written === null) return;
    // It may be delivered, and answered, before the newest are read: the last of them tells nothing then.
    reaching.current = null;
    isFollowing.current = true;
  }, [written]);

  useLayoutEffect(() => {
    if (!reach() && isFollowing.current) toEnd();
    // oxlint-disable-next-line react/exhaustive-deps -- only a new last message moves the list, not a change within it
  }, [last, written, generation]);

  return {
    scroller,
    list,
    reach,
    onScroll,
    onResize,
    onMove,
    onWheel,
    onPress: ({ target, currentTarget }) => {
      // What is pressed is no message: the scroll bar.
      if (target === currentTarget) reaching.current = null;
      intent.pressed(performance.now());
    },
    follow: () => {
      reaching.current = null;
      isFollowing.current = true;
    },
    toEnd,
  };
}

/** How far to scroll for a row to stand in the middle, as far as that can be; null before the first measuring. */
function middleOf(list: VirtualizerHandle, index: number): number | null {
  if (list.viewportSize === 0) return null;
  const middle = list.getItemOffset(index) + list.getItemSize(index) / 2 - list.viewportSize / 2;
  return Math.max(0, Math.min(middle, list.scrollSize - list.viewportSize));
}
