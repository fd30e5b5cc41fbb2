// The messages of a channel: a virtual list that stands at the newest until one scrolls away from it, and grows at
// either end while one goes there.
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
} from "react";
import { Virtualizer } from "virtua";
import type { MessageId } from "#protocol/ids.ts";
import type { Timeline as TimelineWindow, TimelineSnapshot } from "../../store/timeline-snapshots.ts";
import { Button } from "../../ui/Button.tsx";
import { ArrowDownIcon } from "../../ui/icons-beside.tsx";
import { later, laterCode } from "../../ui/later.tsx";
import { timelineSays } from "../../ui/strings-timeline.ts";
import { useToday } from "../../ui/today.ts";
import { focusComposer, isTyped } from "../composer/focus.ts";
import { useView } from "../services.ts";
import type { MessageActions } from "./actions.ts";
import {
  arrived,
  joins,
  lastPlaces,
  lastSeq,
  moved,
  movementOf,
  newAfter,
  placeLeft,
  placeOf,
  timelineRows,
} from "./rows.ts";
import { Row } from "./Row.tsx";
import styles from "./Timeline.module.css";
import { belowOf, firstShown, useStanding } from "./use-standing.ts";

/** For keys and ear alone: they may come behind what is seen. */
const useKeys = laterCode(() => import("./keys.ts"));
const Announcer = later(() => import("./Announcer.tsx"), "Announcer");
const NotHere = later(() => import("./NotHere.tsx"), "NotHere");

/** Keys that may say something to a message. */
const MEANT = /^([a-z]|ArrowUp|ArrowDown|End)$/;

interface TimelineProps {
  readonly window: TimelineWindow;
  /** As shown: "#general". */
  readonly channel: string;
  readonly actions: MessageActions;
  readonly editing: MessageId | null;
  /** Not in its row. */
  readonly isEditedBelow: boolean;
  /** The message a link led to. */
  readonly target: MessageId | null;
  /** Another number: led there again. */
  readonly way: number;
  /** The last message that was written at this channel's composer since it opened. */
  readonly written: MessageId | null;
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

function ReadyTimeline(props: TimelineProps & { readonly snapshot: Ready }): ReactElement {
  const {
    window: view,
    channel,
    actions,
    editing,
    isEditedBelow,
    target,
    way,
    written,
    onSeen,
    whenEmpty,
    snapshot,
  } = props;
  const { messages, newSince, older, newer } = snapshot;
  // The workspace's room told of them, and theirs was away before they came.
  const isBehind = snapshot.isApart && newer === "nothing" && snapshot.top > lastSeq(messages);
  const today = useToday();
  const goal = useMemo(() => {
    // In another time zone the days begin at other moments, which is asked of the device.
    void today;
    return timelineRows(messages, newSince);
    // oxlint-disable-next-line react/memo-dependencies -- as said
  }, [messages, newSince, today]);
  const [movement, setMovement] = useState(() => movementOf(goal));
  if (movement.goal !== goal) setMovement(moved(movement, goal, editing));
  const { rows } = movement;
  useLayoutEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- the list must have been laid out with the first half
    if (movement.rows !== movement.goal) setMovement(arrived(movement));
  }, [movement]);

  const lastId = messages.at(-1)?.id;
  const standing = useStanding(movement, { target, way, written, editing }, lastId);
  const { scroller, list, onMove, onWheel } = standing;
  const keys = useKeys(true);
  /** Told once, so that marking unread isn't undone by looking on. */
  const lastSeen = useRef(0);
  /** Another one whenever one was led somewhere. */
  const led = useMemo(() => ({ target, way }), [target, way]);
  /** Since when what was seen joins what was read: a link may lead beyond what is new. */
  const joined = useRef<object>(null);
  /** The newest place seen when one scrolled away; null while standing at the newest. */
  const [awayFrom, setAwayFrom] = useState<number | null>(null);
  const [pointed, setPointed] = useState<MessageId | null>(null);
  const [focused, setFocused] = useState<MessageId | null>(null);
  /** Letters are orders to a message that keys led to, until it is pressed on. */
  const isByKeyboard = useRef(false);
  /** Pressed before the code for it was here; what followed it was meant for where it leads. */
  const early = useRef<globalThis.KeyboardEvent>(null);

  useEffect(() => {
    if (keys === null) return;
    const pressed = early.current;
    early.current = null;
    if (pressed?.target === document.activeElement)
      pressed?.target?.dispatchEvent(new KeyboardEvent("keydown", pressed));
  }, [keys]);

  /** Follows, grows and notes what was seen: after every movement of the list, whoever caused it. */
  function settle(): void {
    const at = list.current;
    const screen = scroller.current;
    // Before the first measuring it would seem to stand far from the newest.
    if (at === null || screen === null || at.viewportSize === 0 || rows.length === 0) return;
    // Nothing grows, or is seen, until the target stands, or a person moves: where the window ends now, one isn't yet.
    const now = view.snapshot();
    // It may have begun behind this rendering, in the same moment.
    const isOnWay = now.state === "ready" && now.isOnWay;
    if (standing.reach(isOnWay)) return;
    if (isOnWay) view.leaveWay();
    const below = belowOf(at);
    // One end at a time: the other's turn comes with the rows.
    if (at.scrollOffset < GROW_WITHIN_PX && older === "more") view.loadOlder();
    else if (below.px < GROW_WITHIN_PX && newer === "more") view.loadNewer();
    const isAtEnd = below.isEnd && newer === "nothing";
    setAwayFrom((before) => (isAtEnd ? null : (before ?? placeLeft(snapshot))));
    if (isAtEnd && editing === null && focused === null) view.trim();
    // On a phone the panel covers the channel.
    const isVisible = document.visibilityState === "visible" && screen.checkVisibility();
    if (!isVisible || !document.hasFocus()) return;
    const read = Math.max(snapshot.read, lastSeen.current);
    if (joined.current !== led) {
      if (!isAtEnd && !joins(rows, placeOf(rows, firstShown(screen)), read, older === "nothing")) return;
      joined.current = led;
    }
    const lowest = at.findItemIndex(at.scrollOffset + at.viewportSize - 1);
    const lowestSeq = lastSeq(rows.slice(0, lowest + 1).map(({ message }) => message));
    // What others wrote before one's own last may not have been here to be seen.
    const seen = Math.min(snapshot.heardTo, lowestSeq);
    // Places are given anew where the room was restored to an earlier one.
    if (newer === "nothing") lastSeen.current = Math.min(lastSeen.current, placeLeft(snapshot));
    if (seen <= lastSeen.current) return;
    lastSeen.current = seen;
    onSeen(seen);
  }

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
    standing.follow();
    if (newer === "nothing") standing.toEnd();
    else view.goToNewest();
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    onMove();
    // The letter goes there with the focus.
    if (!isByKeyboard.current && isTyped(event.nativeEvent)) focusComposer();
    else if (keys === null && MEANT.test(event.key)) early.current ??= event.nativeEvent;
    else keys?.moveByKey(event, jump);
  }

  function onFocus(message: MessageId | null): void {
    if (message !== focused) isByKeyboard.current = message !== null;
    early.current = null;
    setFocused(message);
  }

  function onPointerDown(event: PointerEvent<HTMLElement>): void {
    standing.onPress(event);
    isByKeyboard.current = false;
    early.current = null;
    // A finger has no way to leave: the next touch elsewhere puts the actions away.
    const pressed = event.target as Element;
    if (event.pointerType !== "mouse" && !pressed.closest("[role=toolbar], [popover]")) setPointed(null);
  }

  /** Above it something is missing, and doesn't come for now. */
  const behindHole = rows.findIndex(({ message }) => snapshot.isApart && (message.seq ?? 0) > snapshot.heardTo);
  const newCount = awayFrom === null ? 0 : newAfter(messages, awayFrom).length;
  const tabStop = focused ?? lastId;
  // What waits here, or was refused, is no history.
  const isNotHere = older === "unreachable" && lastSeq(messages) === 0;
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
          {isNotHere && <NotHere />}
          {older === newer && older === "nothing" && messages.every(({ system }) => system !== undefined) && whenEmpty}
        </div>
        <Virtualizer
          key={movement.generation}
          ref={list}
          scrollRef={scroller}
          data={rows}
          shift={movement.isShift}
          bufferSize={400}
          keepMounted={[
            ...lastPlaces(rows, awayFrom === null ? KEPT_AT_END : 0),
            ...[focused, editing].map((id) => placeOf(rows, id)).filter((at) => at >= 0),
          ]}
          onScroll={() => {
            standing.onScroll();
            settle();
          }}
          onResize={() => {
            standing.onResize();
            settle();
          }}
        >
          {(row, at) => (
            <Row
              key={row.message.id}
              row={row}
              above={at === behindHole ? "unreachable" : at === 0 && !isNotHere ? older : null}
              channel={channel}
              actions={actions}
              isActive={row.message.id === pointed || row.message.id === focused}
              editor={row.message.id === editing ? (isEditedBelow ? "below" : "here") : null}
              isTarget={row.message.id === target}
              isTabStop={row.message.id === tabStop}
              onPoint={setPointed}
              onFocus={onFocus}
            />
          )}
        </Virtualizer>
        {(newer === "unreachable" || isBehind) && <p className={styles.end}>{timelineSays.newerUnreachable}</p>}
      </div>
      {awayFrom !== null && (
        <Button className={styles.jump ?? ""} onClick={jump}>
          <ArrowDownIcon size={14} />
          {newCount > 0 ? timelineSays.jumpNew(newCount) : timelineSays.jumpLatest}
        </Button>
      )}
      <Announcer snapshot={snapshot} />
    </div>
  );
}
