// What follows a hello or a pull: welcome, then exactly one snapshot or page of changes ([SY1], [SY4]).
import { writeFrame } from "#protocol/frame.ts";
import type { DownFrame } from "#protocol/down.ts";
import { pageBytesOf } from "#protocol/frames/base.ts";
import type { Hello } from "#protocol/frames/hello.ts";
import type { Present } from "#protocol/frames/welcome.ts";
import { isTombstone, type Entity } from "#protocol/entities/entity.ts";
import { FAR_BEHIND_REVS } from "#protocol/limits.ts";
import { changesAfter, type Project } from "./catch-up.ts";
import type { Connection } from "./host.ts";
import type { Kind, Viewer } from "./kind.ts";
import { lastNumberOf } from "./ops.ts";
import type { Memory, Room } from "./room.ts";
import { youOf, type Session } from "./session-state.ts";

/** Only inside `alone`. */
export async function greet<Own>(
  room: Room<Own>,
  memory: Memory<Own>,
  connection: Connection,
  session: Session,
  hello: Hello,
  present: Present[],
): Promise<void> {
  const { stem, kind } = memory;
  const q = hello.q === undefined ? {} : { q: hello.q };
  const maxBytes = pageBytesOf(hello.bytes);
  const you = youOf(session);
  // Who starts anew may see what they didn't: heads told before are told again.
  const isContinued = continues(memory, session, hello);
  // Half of what a page may have: the welcome is waited for before it, and tells more than these.
  const heads = kind.heads(isContinued ? (hello.heads ?? 0) : 0, session, maxBytes / 2);
  const send = (frame: DownFrame): boolean => room.broadcast.send(connection, session, writeFrame(frame));
  const isGreeted = send({
    t: "welcome",
    ...q,
    head: stem.head,
    epoch: epochFor(memory, session),
    lastN: await lastNumberOf(room, { you, device: session.device }),
    floor: kind.floor,
    you,
    now: room.host.now(),
    expiresAt: session.exp * 1_000,
    present,
    ...(heads ? { heads } : {}),
  });
  if (!isGreeted) return;
  if (isContinued) {
    await sendChanges(room, memory, connection, session, { since: hello.since ?? 0, maxBytes }, q);
  } else if (kind.snapshots) {
    const newest = await kind.snapshots.newest(hello.newest, maxBytes);
    const reset = hello.since !== null;
    if (send({ t: "snapshot", ...q, head: stem.head, epoch: stem.epoch, ...newest, reset })) {
      becomeLive(room, memory, connection, session);
    }
  } else {
    await sendFromStart(room, memory, connection, session, maxBytes, q);
  }
}

/**
 * What the room's history is called to this viewer: after a change of all they see it is another one, so that a replica
 * that was begun anew behind that says so, in whichever page of it the line broke.
 */
export function epochFor<Own>({ stem, kind }: Memory<Own>, { user }: Pick<Viewer, "user">): string {
  const sight = kind.sightSince(user);
  return sight === 0 ? stem.epoch : `${stem.epoch}.${sight}`;
}

/** Whether what the client holds can be continued by changes. */
function continues<Own>(memory: Memory<Own>, viewer: Viewer, { since, epoch }: Hello): boolean {
  const { stem, kind } = memory;
  if (since === null || since > stem.head) return false;
  if (epoch === undefined ? since < kind.sightSince(viewer.user) : epoch !== epochFor(memory, viewer)) return false;
  // Where all from 0 would come instead, that must be gone on with wherever it was broken off; and it is no less.
  return kind.snapshots === null || stem.head - since <= FAR_BEHIND_REVS;
}

async function sendFromStart<Own>(
  room: Room<Own>,
  memory: Memory<Own>,
  connection: Connection,
  session: Session,
  maxBytes: number,
  q: { q?: number },
): Promise<void> {
  const page = await changesAfter(
    room.host.storage,
    memory.stem,
    0,
    withoutTombstones(projectFor(memory.kind, session)),
    { maxBytes },
  );
  const { entities, ...range } = page;
  const frame: DownFrame = { t: "changes", ...q, ...range, entities: [...entities], reset: true };
  if (!room.broadcast.send(connection, session, writeFrame(frame))) return;
  if (!page.more) becomeLive(room, memory, connection, session);
}

/** Only inside `alone`. A page from `since`, or word that the client must start anew. */
export async function sendChanges<Own>(
  room: Room<Own>,
  memory: Memory<Own>,
  connection: Connection,
  session: Session,
  { since, maxBytes }: { readonly since: number; readonly maxBytes: number },
  q: { q?: number },
): Promise<void> {
  const { stem, kind } = memory;
  const sight = kind.sightSince(session.user);
  const isSightOther = sight !== session.sight && since < sight;
  if (since > stem.head || isSightOther) {
    const { head } = stem;
    const frame: DownFrame = { t: "changes", ...q, from: head, to: head, entities: [], more: false, reset: true };
    room.broadcast.send(connection, session, writeFrame(frame));
    return;
  }
  const project = projectFor(kind, session);
  const { entities, ...range } = await changesAfter(room.host.storage, stem, since, project, { maxBytes });
  const frame: DownFrame = { t: "changes", ...q, ...range, entities: [...entities] };
  if (!room.broadcast.send(connection, session, writeFrame(frame))) return;
  if (!range.more) becomeLive(room, memory, connection, session);
}

/** In the same turn in which it was sent all up to head. */
function becomeLive<Own>(room: Room<Own>, { stem }: Memory<Own>, connection: Connection, session: Session): void {
  connection.setState({ ...session, live: true });
  room.broadcast.caughtUp(connection, stem.head);
}

export function pullHeads<Own>(
  { kind }: Memory<Own>,
  viewer: Viewer,
  { since, maxBytes }: { readonly since: number; readonly maxBytes: number },
  q: { q?: number },
): DownFrame {
  const page = kind.heads(since, viewer, maxBytes) ?? { list: {}, counter: 0, more: false };
  return { t: "heads", ...q, ...page };
}

export function projectFor<Own>(kind: Kind<Own>, viewer: Viewer): Project {
  return (entity) => kind.project(entity, viewer);
}

/** One that starts anew has nothing to bury. */
export function withoutTombstones(project: Project): Project {
  return (entity) => project(entity).filter((seen: Entity) => !isTombstone(seen));
}
