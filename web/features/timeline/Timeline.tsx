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
} from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import type { MessageId } from "#protocol/ids.ts";
import type { Timeline as TimelineWindow, TimelineSnapshot } from "../../store/snapshots.ts";
import { Button } from "../../ui/Button.tsx";
import { ArrowDownIcon } from "../../ui/icons.tsx";
import { t } from "../../ui/strings.ts";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import { useView } from "../services.ts";
import type { MessageActions } from "./actions.ts";
import { Announcer } from "./Announcer.tsx";
import { moveByKey } from "./keys.ts";
import { countNewAfter, lastSeq, moved, timelineRows, type Movement } from "./rows.ts";
import { Row } from "./Row.tsx";
import { scrollIntent } from "./scroll-intent.ts";
import styles from "./Timeline.module.css";

interface TimelineProps {
  readonly window: TimelineWindow;
  /** As shown: "#general". */
  readonly channel: string;
  readonly actions: MessageActions;
  readonly editing: MessageId | null;
  /** The message a link led to. */
  readonly target: MessageId | null;
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
/** Nearer to the newest than this counts as standing there; px. */
const AT_END_WITHIN_PX = 32;

function ReadyTimeline(props: TimelineProps & { readonly snapshot: Ready }): ReactElement {
  const { window: view, channel, actions, editing, target, onSeen, whenEmpty, snapshot } = props;
  const { messages, readAtOpening, older, newer } = snapshot;
  const rows = useMemo(() => timelineRows(messages, readAtOpening), [messages, readAtOpening]);

  const [movement, setMovement] = useState<Movement>({ rows, isShift: false, generation: 0 });
  if (movement.rows !== rows) setMovement(moved(movement, rows));

  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  /** Whether what arrives below is followed. */
  const isFollowing = useRef(target === null);
  const [intent] = useState(scrollIntent);
  const box = useRef("");
  /** Told once, so that marking unread isn't undone by looking on. */
  const lastSeen = useRef(0);
  /** The newest place seen when one scrolled away; null while standing at the newest. */
  const [awayFrom, setAwayFrom] = useState<number | null>(null);
  const [pointed, setPointed] = useState<MessageId | null>(null);
  const [focused, setFocused] = useState<MessageId | null>(null);
  const [toReach, setToReach] = useState<MessageId | null>(target);

  function toEnd(): void {
    console.log("DBG toEnd");
    list.current?.scrollToIndex(rows.length - 1, { align: "end" });
  }

  /** Follows, grows and notes what was seen: after every movement of the list, whoever caused it. */
  function settle(): void {
    const at = list.current;
    if (at === null || rows.length === 0) return;
    const below = at.scrollSize - at.viewportSize - at.scrollOffset;
    if (at.scrollOffset < GROW_WITHIN_PX && older === "more") view.loadOlder();
    if (below < GROW_WITHIN_PX && newer === "more") view.loadNewer();
    const isAtEnd = below < AT_END_WITHIN_PX && newer === "nothing";
    setAwayFrom((before) => (isAtEnd ? null : (before ?? lastSeq(messages))));
    if (document.visibilityState !== "visible" || !document.hasFocus()) return;
    const lowest = at.findItemIndex(at.scrollOffset + at.viewportSize - 1);
    const seen = rows.slice(0, lowest + 1).findLast(({ message }) => message.seq !== null)?.message.seq;
    if (seen === undefined || seen === null || seen <= lastSeen.current) return;
    lastSeen.current = seen;
    onSeen(seen);
  }

  function onScroll(): void {
    console.log("DBG scroll", performance.now()|0, intent.isByPerson(performance.now()), isFollowing.current, list.current?.scrollOffset, list.current?.scrollSize, list.current?.viewportSize, rows.length, newer);
    const at = list.current;
    const { clientWidth = 0, clientHeight = 0 } = scroller.current ?? {};
    if (at === null) return;
    // The browser moves what it shows before anybody hears of its new size.
    if (box.current !== `${clientWidth} ${clientHeight}`) intent.resized(performance.now());
    box.current = `${clientWidth} ${clientHeight}`;
    if (intent.isByPerson(performance.now())) {
      isFollowing.current = at.scrollSize - at.viewportSize - at.scrollOffset < AT_END_WITHIN_PX;
    } else if (isFollowing.current) toEnd();
    settle();
  }

  function onResize(): void {
    intent.resized(performance.now());
    if (isFollowing.current) toEnd();
    settle();
  }

  const last = messages.at(-1);
  const lastId = last?.id;
  const isOwnLast = last !== undefined && last.isMine && last.delivery !== "sent";

  useLayoutEffect(() => {
    // What I write is always shown, wherever I was reading.
    if (isOwnLast) isFollowing.current = true;
    if (isFollowing.current) toEnd();
    // oxlint-disable-next-line react/exhaustive-deps -- only a new last message moves the list, not a change within it
  }, [lastId, isOwnLast, movement.generation]);

  useLayoutEffect(() => {
    const at = toReach === null ? -1 : rows.findIndex(({ message }) => message.id === toReach);
    if (at < 0) return;
    isFollowing.current = false;
    console.log("DBG REACH", performance.now()|0, at, rows.length, movement.generation, list.current?.scrollSize, list.current?.viewportSize);
    list.current?.scrollToIndex(at, { align: "center" });
    setToReach(null);
  }, [rows, toReach]);

  const [reached, setReached] = useState(target);
  if (reached !== target) {
    setReached(target);
    setToReach(target);
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
    isFollowing.current = true;
    if (newer === "nothing") toEnd();
    else view.goToNewest();
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    intent.moved(performance.now());
    if (
      event.key === "End" &&
      !event.altKey &&
      event.target instanceof HTMLElement &&
      event.target.tagName === "ARTICLE"
    ) {
      jump();
    } else moveByKey(event);
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
        aria-label={t.timeline.label(channel)}
        // Rows come and go while scrolling; what is really new is announced apart.
        aria-live="off"
        tabIndex={rows.length === 0 ? 0 : -1}
        onKeyDown={onKeyDown}
        onWheel={() => intent.moved(performance.now())}
        onTouchMove={() => intent.moved(performance.now())}
        onPointerDown={onPointerDown}
        onPointerLeave={(event) => {
          if (event.pointerType === "mouse") setPointed(null);
        }}
      >
        <div className={styles.filler}>
          {older === "nothing" && messages.every(({ system }) => system !== undefined) && whenEmpty}
        </div>
        <Virtualizer
          key={movement.generation}
          ref={list}
          scrollRef={scroller}
          data={rows}
          shift={movement.isShift}
          bufferSize={400}
          keepMounted={[focused, editing].flatMap((id) => rowsAt(rows, id))}
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
        {newer === "unreachable" && <p className={styles.end}>{t.timeline.newerUnreachable}</p>}
      </div>
      {snapshot.isUnchecked && <VisuallyHidden>{t.timeline.unchecked}</VisuallyHidden>}
      {awayFrom !== null && (
        <Button className={styles.jump ?? ""} onClick={jump}>
          <ArrowDownIcon size={14} />
          {newCount > 0 ? t.timeline.jumpNew(newCount) : t.timeline.jumpLatest}
        </Button>
      )}
      <Announcer messages={messages} />
    </div>
  );
}

function rowsAt(rows: Movement["rows"], id: MessageId | null): readonly number[] {
  const at = id === null ? -1 : rows.findIndex(({ message }) => message.id === id);
  return at < 0 ? [] : [at];
}
