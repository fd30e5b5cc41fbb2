// One room at work: link, outbox and pages put together. Frames are taken one after the other, each stored before the
// next is taken ([SY5]), and answers that wait for the same turn together; only which page to ask for next is read off a
// page ahead of its turn. Decides nothing: the machines do.
import { readDownFrame, writeFrame } from "#protocol/frame.ts";
import type { DownFrame } from "#protocol/down.ts";
import type { Ack } from "#protocol/frames/answer.ts";
import type { You } from "#protocol/frames/base.ts";
import type { SignalSent } from "#protocol/frames/signal.ts";
import type { Welcome } from "#protocol/frames/welcome.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { isAdmin } from "#protocol/roles.ts";
import type { UpFrame } from "#protocol/up.ts";
import { NotLeader } from "../store/store.ts";
import { answersOf } from "./answers.ts";
import { watchBacklog } from "./backlog.ts";
import { keepWhatWaits } from "./closed-room.ts";
import { gatherAcks } from "./gather-acks.ts";
import { helloFrame } from "./hello-frame.ts";
import type { Link } from "./link-state.ts";
import type { Outbox } from "./outbox.ts";
import { isAnswer, patienceWith } from "./patience.ts";
import { replicaStore } from "./replica-store.ts";
import { roomClock } from "./room-clock.ts";
import { followHeads } from "./room-heads.ts";
import type { RoomDeps } from "./room-deps.ts";
import { runLink } from "./room-link.ts";
import { runOutbox } from "./room-outbox.ts";
import { askPages, type Place } from "./room-pages.ts";
import { watchShortage } from "./room-shortage.ts";
import { takeTurns } from "./room-turns.ts";

export interface RoomRunner {
  readonly name: RoomName;
  readonly link: () => Link;
  readonly outbox: () => Outbox;
  /** When the room was last heard while its link stood, epoch ms; null for never. */
  readonly heardAt: () => number | null;
  /** By its clock it is so late at least; null where it never told. Epoch ms. */
  readonly leastAt: () => number | null;
  /**
   * All up to the room's head is here, and in a workspace's room the heads of all its channels; and nothing of it waits for a
   * disk that is held up.
   */
  readonly isCaughtUp: () => boolean;
  /** What it sent last finds no room on this device, and nothing else keeps it away. */
  readonly isFull: () => boolean;
  readonly want: () => void;
  readonly unwant: () => void;
  readonly nudge: () => void;
  /** What a timer would have done by now is done. */
  readonly tick: () => void;
  readonly signedIn: () => void;
  /** Ops may be ready for numbers. */
  readonly wrote: () => void;
  readonly history: (place: Place) => Promise<boolean>;
  readonly signal: (frame: SignalSent) => void;
  /** Ends it, when all under way is stored. */
  readonly close: () => Promise<void>;
}

/** The close code for what can't be read. */
const NOT_A_FRAME = 4422;

export function runRoom(deps: RoomDeps, name: RoomName): RoomRunner {
  const { ports, store, leader, me } = deps;
  const replica = replicaStore(store, leader, name, me);
  const answers = answersOf(store, leader, name, me, ports.newId);
  let epoch = "";
  let startsOver = false;
  const shortage = watchShortage();
  const clock = roomClock(ports.now);

  const backlog = watchBacklog({ ports, changed: deps.changed });
  const turns = takeTurns({
    link: () => link,
    shortage,
    backlog,
    changed: deps.changed,
    deposed: deps.deposed,
    unstored: deps.unstored,
  });

  const answerMs = (): number => deps.timing().heartbeatAnswerMs;

  const patience = patienceWith({
    now: ports.now,
    answerMs,
    pageMs: () => pages.owedMs(),
    dueBytes: () => outbox.dueBytes(),
    tookMs: deps.traffic.tookMs,
    // An op may be answered by what is here already.
    isBehind: turns.isBehind,
  });

  const send = (frame: UpFrame): void => void link.send(writeFrame(frame));

  const asked = (owedMs: number): void => {
    patience.asked();
    link.asked(owedMs);
  };

  const link = runLink({
    ports,
    name,
    tokens: deps.tokens,
    timing: deps.timing,
    openTransport: deps.openTransport,
    isInUse: deps.isInUse,
    inTurn: turns.take,
    hello: () => hello(),
    received: (text) => {
      const frame = readDownFrame(text);
      if (frame.ok) came(frame.value, text.length);
      else if (frame.error === "unknown") link.heard();
      // Passed over it would be a hole; the link says so after the second time, on the status page.
      else link.restart(NOT_A_FRAME);
    },
    greetingMs: () => pages.withinMs(),
    ungreeted: () => pages.ungreeted(),
    owedMs: patience.owedMs,
    heard: clock.look,
    traffic: deps.traffic,
    renew: (token) => send({ t: "auth", token }),
    closing: (code) => {
      deps.note({ kind: "connection", what: "closed", room: name, detail: String(code) });
      if (code === 4409) outbox.tell("conflicted");
    },
    left: (isOverdue) => {
      patience.left(isOverdue);
      pages.left();
      outbox.tell("closed");
      deps.present([]);
    },
    refused: (why) => closure.refused(why),
    standing: deps.standing,
    askWorkspace: deps.askWorkspace,
    changed: () => {
      shortage.follow(link.get().state);
      deps.changed();
    },
  });

  const outbox = runOutbox({
    ports,
    answers,
    inTurn: turns.take,
    send,
    aheadMs: clock.aheadMs,
    sent: () => asked(patience.opMs()),
    renumbered: () => link.restart(),
    changed: deps.changed,
  });

  const heads = followHeads({ send, bytes: () => pages.bytes(), replica, changed: deps.changed });

  const pages = askPages({
    send: (frame) => send(heads.asking(frame)),
    isLive: () => link.is("live"),
    now: ports.now,
    answerMs,
    asked,
    read: replica.read,
    startOver: async () => {
      // Until the room greets, each frame says that it must.
      if (startsOver) return;
      startsOver = true;
      await hello();
    },
    storeHistory: (page, place) => replica.history({ epoch, ...page }, place),
    stored: () => shortage.stored(),
    changed: deps.changed,
  });

  const hello = async (): Promise<void> => {
    const room = await replica.read();
    const device = await outbox.device();
    send(helloFrame(room, { token: link.token(), device, bytes: pages.bytes(), startsOver }));
    pages.greeting();
  };

  /** Heard when it is here, however long the disk then takes. */
  const came = (frame: DownFrame, length: number): void => {
    pages.arrived(frame, length);
    patience.came(frame);
    if (frame.t === "ack") acks.came(frame);
    else acks.other(() => apply(frame), frame.t !== "history");
    link.heard(isAnswer(frame) ? "answer" : undefined);
  };

  const acks = gatherAcks({
    takeFrame: turns.takeFrame,
    store: (together) => answers.acked(together, epoch),
    outbox,
    behind: (verdict) => pages.came(verdict, undefined),
  });

  const apply = async (frame: Exclude<DownFrame, Ack>): Promise<void> => {
    switch (frame.t) {
      case "welcome":
        return welcomed(frame);
      case "snapshot":
        return pages.came(await replica.snapshot(frame), frame.q);
      case "changes":
        return pages.came(await replica.changed(frame, epoch), frame.q);
      case "history":
        return pages.historyCame(frame).catch((error: unknown) => {
          if (error instanceof NotLeader) throw error;
          // No other page rests on it, so the link stands.
          return deps.unstored(error);
        });
      case "heads":
        await replica.heads(frame);
        return heads.came(frame, frame.q);
      case "refuse":
        if (frame.code === "device_conflict") return outbox.tell("conflicted");
        if (frame.held) return outbox.held(frame);
        await answers.refused(frame);
        return outbox.answered(frame.n);
      case "signal":
        return frame.kind === "bump" ? heads.bumped(frame) : deps.signalled(frame);
      case "you":
        await replica.you({ user: frame.user, role: frame.role, can: frame.can });
        return widen(frame);
      case "authed":
        return replica.you(frame.you);
      case "error":
        return link.failed(frame);
    }
  };

  /** Whoever was made an admin since the token at hand was given may act as one only with the next. */
  const widen = ({ role, can }: You): void => {
    if (isAdmin(role) && !can.includes("manage")) link.renew();
  };

  const welcomed = async (frame: Welcome): Promise<void> => {
    epoch = frame.epoch;
    startsOver = false;
    clock.greeted(frame.now);
    await replica.welcomed(frame);
    pages.greeted();
    link.welcomed(pages.owedMs() ?? answerMs());
    // Given up while this was being stored: nothing would go, and nothing may look as if it did.
    if (!link.is("live")) return;
    deps.present(frame.present);
    if (frame.heads !== undefined) heads.came(frame.heads);
    await outbox.welcomed(frame.lastN);
    widen(frame.you);
  };

  const isCaughtUp = (): boolean => pages.isCaughtUp() && !heads.isBehind() && !backlog.isOverdue() && link.is("live");

  const closure = keepWhatWaits(answers, turns.take);

  return {
    name,
    link: link.get,
    heardAt: link.heardAt,
    leastAt: clock.leastAt,
    outbox: outbox.get,
    isCaughtUp,
    isFull: () => shortage.isOn() && !isCaughtUp(),
    want: () => link.tell("wanted"),
    unwant: () => link.tell("unwanted"),
    nudge: () => link.tell("nudged"),
    tick: link.tick,
    signedIn: () => link.tell("signed-in"),
    // For a room that turned us away: asked again, it says why it can't go, or takes it.
    wrote: () => (closure.isKept() && link.is("refused") ? link.tell("nudged") : outbox.tell("wrote")),
    history: pages.history,
    signal: (frame) => {
      if (link.is("live")) send(frame);
    },
    close: async () => {
      link.close();
      outbox.close();
      await turns.close();
    },
  };
}
