// The messages of a channel: a virtual list that stands at the newest until one scrolls away from it, and keeps its
// place whatever arrives above, below or in between.
import {
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  type WheelEvent,
} from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import type { MessageId } from "#protocol/ids.ts";
import type { Timeline as TimelineWindow, TimelineSnapshot } from "../../store/snapshots.ts";
import { Button } from "../../ui/Button.tsx";
import { ArrowDownIcon } from "../../ui/icons-beside.tsx";
import { later, laterCode } from "../../ui/later.tsx";
import { timelineSays } from "../../ui/strings-timeline.ts";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import { useView } from "../services.ts";
import type { MessageActions } from "./actions.ts";
import {
  arrived,
  countNewAfter,
  lastPlaces,
  lastSeq,
  moved,
  movementOf,
  placeOf,
  timelineRows,
  type TimelineRow,
} from "./rows.ts";
import { Row } from "./Row.tsx";
import { scrollIntent } from "./scroll-intent.ts";
import styles from "./Timeline.module.css";

/** For keys and ear alone: they may come behind what is seen. */
const useMoveByKey = laterCode(async () => (await import("./keys.ts")).moveByKey);
const Announcer = later(async () => (await import("./Announcer.tsx")).Announcer);
const NotHere = later(async () => (await import("./NotHere.tsx")).NotHere);

interface TimelineProps {
  readonly window: TimelineWindow;
  /** As shown: "#general". */
  readonly channel: string;
  readonly actions: MessageActions;
  readonly editing: MessageId | null;
  /** The message a link led to. */
  readonly target: MessageId | null;
  /** Another number: led there again. */
  readonly way: number;
  /** Told the place of the newest message that was on a visible screen. */
  readonly onSeen: (seq: number) => void;
  /** Shown where nobody has written anything yet. */
  readonly whenEmpty: ReactNode;
}

type Ready = Extract<TimelineSnapshot, { state: "ready" }>;

export function Timeline(props: TimelineProps): ReactElement {
  const snapshot = useView(props.window);
  if (snapshot.state === "loading") return <div className={styles.scroller} aria-busy="true" />;
  return <ReadyTimeline {...props} snapshot={snapshot} />;
}

/** Nearer to an end than this, the window grows there; px. */
const GROW_WITHIN_PX = 1_200;
/** So many of the newest are measured from the start: the first turn of the wheel meets no heights that are guessed. */
const KEPT_AT_END = 30;
/** Nearer to the newest than this counts as standing there; px. */
const AT_END_WITHIN_PX = 32;

function ReadyTimeline(props: TimelineProps & { readonly snapshot: Ready }): ReactElement {
  const { window: view, channel, actions, editing, target, way, onSeen, whenEmpty, snapshot } = props;
  const { messages, readAtOpening, older, newer } = snapshot;
  const goal = useMemo(() => timelineRows(messages, readAtOpening), [messages, readAtOpening]);
  const [movement, setMovement] = useState(() => movementOf(goal));
  if (movement.goal !== goal) setMovement(moved(movement, goal));
  const { rows } = movement;
  useLayoutEffect(() => {
    if (movement.rows !== movement.goal) setMovement(arrived(movement));
  }, [movement]);

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
  const moveByKey = useMoveByKey(true);
  const box = useRef("");
  /** Told once, so that marking unread isn't undone by looking on. */
  const lastSeen = useRef(0);
  /** The newest place seen when one scrolled away; null while standing at the newest. */
  const [awayFrom, setAwayFrom] = useState<number | null>(null);
  const [pointed, setPointed] = useState<MessageId | null>(null);
  const [focused, setFocused] = useState<MessageId | null>(null);

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

  /** Step by step, for every step measures rows that were only guessed. Answers whether there is a step to wait for. */
  function reach(): boolean {
    const at = list.current;
    const index = placeOf(rows, reaching.current);
    if (at === null || index < 0) return false;
    isFollowing.current = false;
    const middle = middleOf(at, index);
    if (middle !== null && Math.abs(at.scrollOffset - middle) <= 1) reaching.current = null;
    else if (middle !== null) scrollTo(middle);
    return reaching.current !== null;
  }

  /** Follows, grows and notes what was seen: after every movement of the list, whoever caused it. */
  function settle(): void {
    const at = list.current;
    // Nothing grows until the target stands: where the window ends now, one isn't yet.
    if (at === null || rows.length === 0 || reach()) return;
    const below = at.scrollSize - at.viewportSize - at.scrollOffset;
    // One end at a time: the other's turn comes with the rows.
    if (at.scrollOffset < GROW_WITHIN_PX && older === "more") view.loadOlder();
    else if (below < GROW_WITHIN_PX && newer === "more") view.loadNewer();
    const isAtEnd = below < AT_END_WITHIN_PX && newer === "nothing";
    setAwayFrom((before) => (isAtEnd ? null : (before ?? lastSeq(messages))));
    if (isAtEnd && editing === null && focused === null) view.trim();
    if (document.visibilityState !== "visible" || !document.hasFocus()) return;
    const lowest = at.findItemIndex(at.scrollOffset + at.viewportSize - 1);
    const seen = rows.slice(0, lowest + 1).findLast(({ message }) => message.seq !== null)?.message.seq;
    if (seen === undefined || seen === null || seen <= lastSeen.current) return;
    lastSeen.current = seen;
    onSeen(seen);
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
      isFollowing.current = at.scrollSize - at.viewportSize - at.scrollOffset < AT_END_WITHIN_PX;
    } else if (isFollowing.current) toEnd();
    settle();
  }

  function onResize(): void {
    intent.resized(performance.now());
    if (!isFollowing.current) height.current = scroller.current?.scrollHeight ?? 0;
    if (!reach() && isFollowing.current) toEnd();
    settle();
  }

  const last = messages.at(-1);
  const lastId = last?.id;
  const isOwnLast = last !== undefined && last.isMine && last.delivery !== "sent";

  useLayoutEffect(() => {
    reaching.current = target;
  }, [target, way]);

  useLayoutEffect(() => {
    // What I write is always shown, wherever I was reading.
    if (isOwnLast) isFollowing.current = true;
    if (!reach() && isFollowing.current) toEnd();
    // oxlint-disable-next-line react/exhaustive-deps -- only a new last message moves the list, not a change within it
  }, [lastId, isOwnLast, movement.generation]);

  useEffect(() => {
    settle();
    addEventListener("focus", settle);
    document.addEventListener("visibilitychange", settle);
    return () => {
      removeEventListener("focus", settle);
      document.removeEventListener("visibilitychange", settle);
    };
  });

  function jump(): void {
    reaching.current = null;
    isFollowing.current = true;
    if (newer === "nothing") toEnd();
    else view.goToNewest();
  }

  function onMove(): void {
    reaching.current = null;
    placed.current = null;
    intent.moved(performance.now());
  }

  function onWheel({ deltaY }: WheelEvent<HTMLElement>): void {
    onMove();
    // On a busy machine the scrolling comes so late that it would pass for the browser's own.
    if (deltaY < 0 && (list.current?.scrollOffset ?? 0) > 0) isFollowing.current = false;
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    onMove();
    if (
      event.key === "End" &&
      !event.altKey &&
      event.target instanceof HTMLElement &&
      event.target.tagName === "ARTICLE"
    ) {
      jump();
    } else moveByKey?.(event);
  }

  function onPointerDown(event: PointerEvent<HTMLElement>): void {
    intent.pressed(performance.now());
    // A finger has no way to leave: the next touch elsewhere puts the actions away.
    const isOnActions = event.target instanceof Element && event.target.closest("[role=toolbar], [popover]") !== null;
    if (event.pointerType !== "mouse" && !isOnActions) setPointed(null);
  }

  const newCount = awayFrom === null ? 0 : countNewAfter(messages, awayFrom);
  const tabStop = focused ?? lastId;
  return (
    <div className={styles.frame}>
      <div
        ref={scroller}
        className={styles.scroller}
        role="log"
        aria-label={timelineSays.label(channel)}
        // Rows come and go while scrolling; what is really new is announced apart.
        aria-live="off"
        tabIndex={rows.length === 0 ? 0 : -1}
        onKeyDown={onKeyDown}
        onWheel={onWheel}
        onTouchMove={onMove}
        onPointerDown={onPointerDown}
        onPointerLeave={(event) => {
          if (event.pointerType === "mouse") setPointed(null);
        }}
      >
        <div className={styles.filler}>
          {older === "unreachable" && messages.length === 0 && <NotHere />}
          {older === "nothing" && messages.every(({ system }) => system !== undefined) && whenEmpty}
        </div>
        <Virtualizer
          key={movement.generation}
          ref={list}
          scrollRef={scroller}
          data={rows}
          shift={movement.isShift}
          bufferSize={400}
          keepMounted={[
            ...(awayFrom === null ? lastPlaces(rows, KEPT_AT_END) : []),
            ...[focused, editing].flatMap((id) => rowsAt(rows, id)),
          ]}
          onScroll={onScroll}
          onResize={onResize}
        >
          {(row, at) => (
            <Row
              key={row.message.id}
              row={row}
              above={at === 0 ? older : null}
              channel={channel}
              actions={actions}
              isActive={row.message.id === pointed || row.message.id === focused}
              isEditing={row.message.id === editing}
              isTarget={row.message.id === target}
              isTabStop={row.message.id === tabStop}
              onPoint={setPointed}
              onFocus={setFocused}
            />
          )}
        </Virtualizer>
        {newer === "unreachable" && <p className={styles.end}>{timelineSays.newerUnreachable}</p>}
      </div>
      {snapshot.isUnchecked && <VisuallyHidden>{timelineSays.unchecked}</VisuallyHidden>}
      {awayFrom !== null && (
        <Button className={styles.jump ?? ""} onClick={jump}>
          <ArrowDownIcon size={14} />
          {newCount > 0 ? timelineSays.jumpNew(newCount) : timelineSays.jumpLatest}
        </Button>
      )}
      <Announcer messages={messages} />
    </div>
  );
}

/** How far to scroll for a row to stand in the middle, as far as that can be; null before the first measuring. */
function middleOf(list: VirtualizerHandle, index: number): number | null {
  if (list.viewportSize === 0) return null;
  const middle = list.getItemOffset(index) + list.getItemSize(index) / 2 - list.viewportSize / 2;
  return Math.max(0, Math.min(middle, list.scrollSize - list.viewportSize));
}

function rowsAt(rows: readonly TimelineRow[], id: MessageId | null): readonly number[] {
  const at = placeOf(rows, id);
  return at < 0 ? [] : [at];
}
