// Rooms in their barest form, for tests of the queue: what they hold, what they refuse, and what people see of it.
import { membershipId } from "#protocol/entities/keys.ts";
import type { Entity, Kind, Unstamped } from "#protocol/entities/entity.ts";
import type { ChannelId, MessageId, UserId, WorkspaceId } from "#protocol/ids.ts";
import type { AnyOp } from "#protocol/ops/all.ts";
import type { Lookup, OpContext } from "#protocol/ops/op.ts";
import { REDUCERS } from "#protocol/ops/reducers/all.ts";
import { parseRoomName, type RoomName } from "#protocol/room-name.ts";
import { entityKey } from "../../store/overlay.ts";
import { channelRoom, workspaceRoom } from "../../store/rooms.ts";

export const W = "w" as WorkspaceId;
export const ME = "me" as UserId;
export const OTHERS = ["ana", "bo"] as UserId[];
export const DIRECTORY = workspaceRoom(W);

/** What the rooms hold, by room and key. */
export class Rooms {
  readonly entities: Map<string, Entity>;
  seq = 100;

  constructor(entities: ReadonlyMap<string, Entity>) {
    this.entities = new Map(entities);
  }

  lookup(room: RoomName): Lookup {
    return ((kind: Kind, id: string) => this.entities.get(`${room} ${entityKey(kind, id)}`)) as Lookup;
  }

  /** As a room does it: refused, without effect, or done. */
  run(room: RoomName, change: AnyOp): "refused" | "void" | "done" {
    if (this.#refuses(room, change)) return "refused";
    const made = reduce(change, this.lookup(room), ++this.seq);
    for (const entity of made) {
      this.entities.set(`${room} ${entityKey(entity.kind, entity.id)}`, { ...entity, rev: this.seq });
    }
    return made.length === 0 ? "void" : "done";
  }

  #refuses(room: RoomName, { op, args }: AnyOp): boolean {
    const ref = parseRoomName(room);
    const directory = this.lookup(DIRECTORY);
    if (ref?.party === "channel") {
      const channel = directory("channel", ref.channel);
      if (channel === undefined || channel.deleted || channel.archivedAt !== undefined) return true;
      const needed = op === "message.post" ? args.root : "id" in args ? (args.id as MessageId) : undefined;
      return needed !== undefined && this.lookup(room)("message", needed) === undefined;
    }
    if (op !== "channel.create" && op !== "channel.update") return false;
    const others = [...this.entities.values()].filter((one) => one.kind === "channel" && one.id !== args.id);
    return others.some((one) => one.kind === "channel" && !one.deleted && one.name === args.name);
  }
}

function reduce(change: AnyOp, lookup: Lookup, seq: number): readonly Unstamped[] {
  const { apply } = REDUCERS[change.op] as unknown as {
    apply: (args: unknown, ctx: OpContext, lookup: Lookup) => readonly Unstamped[];
  };
  return apply(change.args, { actor: ME, at: seq, rev: seq, seq }, lookup);
}

/** Three channels: one that I am in, one that I am not, one archived; each with a message of mine and one of others. */
export function start(): Rooms {
  const world = new Rooms(new Map());
  const put = (room: RoomName, entity: object): void => {
    const made = { rev: 1, ...entity } as Entity;
    world.entities.set(`${room} ${entityKey(made.kind, made.id)}`, made);
  };
  for (const id of [ME, ...OTHERS]) put(DIRECTORY, { kind: "member", id, role: "member", name: id, joinedAt: 0 });
  for (const [at, name] of ["one", "two", "three"].entries()) {
    const archived = name === "three" ? { archivedAt: 1 } : {};
    const about = { access: "public", name, topic: "", purpose: "", createdBy: ME, createdAt: 0, posting: "all" };
    put(DIRECTORY, { kind: "channel", id: name, ...about, ...archived });
    const people = name === "two" ? OTHERS.slice(0, 1) : [ME, ...OTHERS.slice(1)];
    for (const user of people) {
      const id = membershipId(name as ChannelId, user);
      put(DIRECTORY, { kind: "membership", id, channel: name, user, joinedAt: 0 });
    }
    for (const [place, author] of [ME, OTHERS[0]].entries()) {
      const id = `${name}-${place}`;
      const message = { kind: "message", id, seq: at * 10 + place + 1, author, createdAt: 0, text: id };
      put(channelRoom(W, name as ChannelId), place === 1 ? { ...message, pinned: { by: ME, at: 1 } } : message);
    }
  }
  return world;
}

/** What people see of it: words, marks and order; not the times, and not the traces of what nobody ever saw. */
export function seen({ entities }: Rooms): unknown {
  const gone = new Set([...entities].flatMap(([key, each]) => (each.kind === "message" && each.deleted ? [key] : [])));
  const rows = [...entities].flatMap(([key, each]): [string, unknown][] => {
    const room = key.slice(0, key.indexOf(" "));
    if ("deleted" in each && each.deleted) return [];
    if (each.kind === "message") {
      const { text, reactions = {}, pinned, root } = each;
      const isThere =
        root !== undefined && entities.has(`${room} message/${root}`) && !gone.has(`${room} message/${root}`);
      const people = Object.entries(reactions).map(([emoji, users]) => [emoji, users.toSorted()] as const);
      return [
        [
          key,
          { text, reactions: people.toSorted(byFirst), isPinned: pinned !== undefined, root: isThere ? root : null },
        ],
      ];
    }
    const { rev: _rev, ...rest } = each;
    const settled = {
      ...rest,
      ...("archivedAt" in rest ? { archivedAt: 1 } : {}),
      ...("joinedAt" in rest ? { joinedAt: 1 } : {}),
      ...("createdAt" in rest ? { createdAt: 1 } : {}),
      ...("deactivatedAt" in rest ? { deactivatedAt: 1 } : {}),
    };
    return [[key, settled]];
  });
  return rows.filter(([, row]) => !isEmptyPrefs(row)).toSorted(byFirst);
}

/** Preferences that say nothing are as good as none. */
function isEmptyPrefs(row: unknown): boolean {
  return (
    typeof row === "object" && row !== null && "kind" in row && row.kind === "prefs" && Object.keys(row).length === 4
  );
}

/** The texts of each room in its order. */
export function orders({ entities }: Rooms): unknown {
  const messages = [...entities].filter(([, each]) => each.kind === "message" && !each.deleted);
  const placed = messages.map(([key, each]) => ({
    room: key.split(" ")[0],
    id: each.id,
    seq: each.kind === "message" ? each.seq : 0,
  }));
  const byRoom = Map.groupBy(placed, ({ room }) => room);
  return [...byRoom]
    .map(([room, list]) => [room, list.toSorted((a, b) => a.seq - b.seq).map(({ id }) => id)] as const)
    .toSorted(byFirst);
}

function byFirst(
  [one = ""]: readonly [string | undefined, unknown],
  [other = ""]: readonly [string | undefined, unknown],
): number {
  return one < other ? -1 : 1;
}
