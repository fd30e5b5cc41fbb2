// What waits, was refused or has no composer any more in the workspaces that aren't open, as it stands on disk.
import type { Entities, Entity, Kind } from "#protocol/entities/entity.ts";
import { membershipId } from "#protocol/entities/keys.ts";
import type { ChannelId, UserId, WorkspaceId } from "#protocol/ids.ts";
import { parseRoomName, type RoomName } from "#protocol/room-name.ts";
import { readEntity } from "./entities.ts";
import { homeless, unsentDrafts, type WithDrafts } from "./homeless.ts";
import { isCounted, readOutbox, workspaceOf } from "./outbox.ts";
import { entityKey, overlay } from "./overlay.ts";
import { draftKey } from "./replica.ts";
import { workspaceRoom } from "./rooms.ts";
import type { OutboxRecord, RoomRecord, TableName } from "./schema.ts";
import type { Change } from "./store.ts";
import { isRange, prefix, type ReadTx } from "./tx.ts";

export const ELSEWHERE_TABLES: readonly TableName[] = ["rooms", "entities", "outbox", "drafts"];

export interface CountedElsewhere {
  readonly workspace: WorkspaceId;
  readonly waitingCount: number;
  /** Ops alone. */
  readonly refusedCount: number;
  /** Drafts that have no composer any more while the person is in the workspace. */
  readonly homelessCount: number;
  /** All drafts: whoever isn't in the workspace any more comes to none of its composers. */
  readonly draftCount: number;
}

export interface Elsewhere {
  readonly counts: readonly CountedElsewhere[];
  /** Workspace rooms whose directory is whole: of the others nobody can say which drafts have no composer. */
  readonly whole: ReadonlySet<RoomName>;
  /** In sight there: what was left behind in their composers comes back in them. */
  readonly channels: ReadonlyMap<ChannelId, WorkspaceId>;
}

export const NOTHING_ELSEWHERE: Elsewhere = { counts: [], whole: new Set(), channels: new Map() };

export async function readElsewhere(tx: ReadTx, here: WorkspaceId, me: UserId): Promise<Elsewhere> {
  const [ops, rooms] = await Promise.all([readOutbox(tx), tx.all("rooms")]);
  const directories = rooms.filter(({ name }) => parseRoomName(name)?.party === "workspace");
  const named = [...directories.map(({ name }) => ({ room: name })), ...ops].map(workspaceOf);
  const others = [...new Set(named)]
    .filter((workspace) => workspace !== null)
    .filter((workspace) => workspace !== here);
  const counts = await Promise.all(
    others.map(async (workspace): Promise<CountedElsewhere> => {
      const own = ops.filter((op) => workspaceOf(op) === workspace);
      const counted = own.filter(isCounted);
      const refusedCount = counted.filter(({ refusal }) => refusal !== undefined).length;
      const known = await readDrafts(tx, workspace, me, directories, own);
      return {
        workspace,
        waitingCount: counted.length - refusedCount,
        refusedCount,
        homelessCount: known === null ? 0 : homeless(known).length,
        draftCount: known === null ? 0 : unsentDrafts(known).length,
      };
    }),
  );
  const inSight = await Promise.all(others.map((workspace) => readChannels(tx, workspace, ops)));
  return {
    counts: counts.filter((each) => each.waitingCount + each.refusedCount + each.draftCount > 0),
    whole: new Set(directories.filter(isWhole).map(({ name }) => name)),
    channels: new Map(inSight.flat()),
  };
}

async function readChannels(
  tx: ReadTx,
  workspace: WorkspaceId,
  ops: readonly OutboxRecord[],
): Promise<readonly (readonly [ChannelId, WorkspaceId])[]> {
  const held = await tx.all("entities", prefix(workspaceRoom(workspace), "channel"));
  const known = held.flatMap(({ entity }) => (entity.kind === "channel" && !entity.deleted ? [entity.id] : []));
  const made = ops.flatMap((op) => (op.op === "channel.create" && workspaceOf(op) === workspace ? [op.args.id] : []));
  return [...known, ...made].map((id) => [id, workspace] as const);
}

/** So much of a workspace's directory as tells of its drafts, with pending ops applied; null where there are none. */
async function readDrafts(
  tx: ReadTx,
  workspace: WorkspaceId,
  me: UserId,
  directories: readonly RoomRecord[],
  own: readonly OutboxRecord[],
): Promise<WithDrafts | null> {
  const room = workspaceRoom(workspace);
  const pending = own.filter((op) => op.room === room);
  const [kept, synced] = await Promise.all([
    tx.all("drafts", prefix(workspace)),
    tx.all("entities", prefix(room, "draft")),
  ]);
  const standing = synced.flatMap(({ entity }) => (entity.kind === "draft" && !entity.deleted ? [entity] : []));
  const written = pending.flatMap(({ op, args }) => (op === "draft.set" ? [args] : []));
  const channels = new Set([...kept, ...standing, ...written].map(({ channel }) => channel));
  if (channels.size === 0) return null;
  const ids: readonly { readonly kind: Kind; readonly id: string }[] = [
    { kind: "member", id: me },
    ...[...channels].flatMap((id) => [
      { kind: "channel" as const, id },
      { kind: "membership" as const, id: membershipId(id, me) },
    ]),
  ];
  const about = await Promise.all(ids.map((id) => readEntity(tx, room, id)));
  const confirmed = byKey([...standing, ...about.flatMap((record) => record?.entity ?? [])]);
  const shown = new Map([...confirmed, ...overlay(lookupIn(confirmed), pending, me).changed]);
  return {
    workspace,
    me,
    rooms: new Map(directories.map((record) => [record.name, record])),
    drafts: new Map(kept.map((draft) => [draftKey(draft.channel, draft.root), draft])),
    get: lookupIn(shown),
    list: <K extends Kind>(kind: K) =>
      [...shown.values()].filter((entity): entity is Entities[K] => entity.kind === kind),
  };
}

function byKey(entities: readonly Entity[]): ReadonlyMap<string, Entity> {
  return new Map(entities.map((entity) => [entityKey(entity.kind, entity.id), entity]));
}

function lookupIn(entities: ReadonlyMap<string, Entity>): WithDrafts["get"] {
  return <K extends Kind>(kind: K, id: string) => entities.get(entityKey(kind, id)) as Entities[K] | undefined;
}

function isWhole({ cursor, isSweeping }: RoomRecord): boolean {
  return cursor !== null && !isSweeping;
}

/** Whether another reading would come to something else than this one. */
export function isAboutElsewhere(
  change: Change,
  here: WorkspaceId,
  me: UserId,
  { counts, whole, channels }: Elsewhere,
): boolean {
  switch (change.table) {
    case "outbox":
      // What was taken out is named by its place alone.
      return "put" in change ? workspaceOf(change.put) !== here : counts.length > 0;
    case "drafts":
      return "put" in change ? change.put.workspace !== here : firstOf(change.remove) !== here;
    case "entities": {
      const directory = workspaceRoom(here);
      if (!("put" in change)) return counts.length + channels.size > 0 && firstOf(change.remove) !== directory;
      const { room, entity } = change.put;
      const tells = entity.kind === "draft" || entity.kind === "channel" || isMine(entity, me);
      return room !== directory && tells;
    }
    case "rooms":
      if (!("put" in change) || parseRoomName(change.put.name)?.party !== "workspace") return false;
      return change.put.name !== workspaceRoom(here) && isWhole(change.put) !== whole.has(change.put.name);
    case "messages":
    case "heads":
    case "devices":
    case "meta":
    case "events":
      return false;
  }
}

function isMine(entity: Entity, me: UserId): boolean {
  return (entity.kind === "membership" && entity.user === me) || (entity.kind === "member" && entity.id === me);
}

function firstOf(key: Extract<Change, { remove: unknown }>["remove"]): unknown {
  const [first] = (isRange(key) ? key.lower : key) as readonly unknown[];
  return first;
}
