// The service calls of a workspace room (protocol, section 9), each safe to repeat.
import * as v from "valibot";
import type { Unstamped } from "#protocol/entities/entity.ts";
import { DEFAULT_POLICY } from "#protocol/entities/default-policy.ts";
import { membershipId } from "#protocol/entities/keys.ts";
import { failure, type Failure } from "#protocol/errors.ts";
import { channelId, userId, type ChannelId, type UserId } from "#protocol/ids.ts";
import { MEMBERS_MAX } from "#protocol/limits.ts";
import { parse } from "#protocol/parse.ts";
import { failed, ok, type Result } from "#protocol/result.ts";
import { isAdmin, type Perm } from "#protocol/roles.ts";
import { parseRoomName, type RoomName } from "#protocol/room-name.ts";
import {
  addMember,
  authorizeRequest,
  bump,
  createRoom,
  denial,
  type AboutWorkspace,
  type AddMember,
  type AuthorizeResponse,
  type Bump,
  type CreateRoom,
  type Denial,
  type Policy,
} from "#protocol/service.ts";
import { readmitAll } from "../engine/admission.ts";
import { withDenials } from "../engine/denials.ts";
import type { Memory, Room } from "../engine/room.ts";
import type { ServiceCall } from "../engine/http.ts";
import { noticesOfJoining } from "./effects.ts";
import { isInside } from "./directory.ts";
import { kindOf, type WorkspaceKind } from "./kind.ts";
import { policyFor } from "./owed.ts";
import { afterBump } from "./mover.ts";
import { setBack } from "./restored.ts";
import { permsOf } from "./rights.ts";
import { headRow, type WorkspaceOwn } from "./state.ts";

type Answer = Promise<Result<unknown, Failure>>;

/** Null when there is no such call. */
export function workspaceCall(room: Room<WorkspaceOwn>, { call, query, body }: ServiceCall): Answer | null {
  switch (call) {
    case "POST create":
      return withBody(createRoom, body, (asked) => create(room, asked));
    case "POST members":
      return withBody(addMember, body, (asked) => add(room, asked));
    case "GET about":
      return withBody(v.object({ user: userId }), Object.fromEntries(query), ({ user }) => about(room, user));
    case "POST authorize":
      return withBody(authorizeRequest, body, ({ user, rooms }) => authorize(room, user, rooms));
    case "GET policy":
      return withBody(v.object({ channel: channelId }), Object.fromEntries(query), ({ channel }) =>
        policy(room, channel),
      );
    case "POST bump":
      return withBody(bump, body, (told) => bumped(room, told));
    case "POST deny":
      return withBody(denial, body, (denied) => deny(room, denied));
    default:
      return null;
  }
}

async function withBody<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  act: (asked: v.InferOutput<Schema>) => Answer,
): Answer {
  const asked = parse(schema, value);
  return asked.ok ? act(asked.value) : asked;
}

/** Runs on a workspace that was made; `not_found` otherwise. */
function onWorkspace(
  room: Room<WorkspaceOwn>,
  act: (memory: Memory<WorkspaceOwn>, kind: WorkspaceKind) => Answer,
): Answer {
  return room.alone(async (memory) => {
    const kind = kindOf(memory);
    return kind.isBorn ? act(memory, kind) : failed(failure("not_found"));
  });
}

function create(room: Room<WorkspaceOwn>, { workspace, owner, general }: CreateRoom): Answer {
  return room.alone(async (memory) => {
    const kind = kindOf(memory);
    if (workspace.id !== kind.id) return failed(failure("invalid", { field: "workspace", rule: "is not this room's" }));
    if (kind.own.general !== null) return ok({ general: kind.own.general });
    const at = room.host.now();
    const { user, name, avatar } = owner;
    const made: Unstamped[] = [
      { kind: "workspace", ...workspace, createdAt: at, policy: DEFAULT_POLICY },
      { kind: "member", id: user, role: "owner", name, joinedAt: at, ...(avatar === undefined ? {} : { avatar }) },
      {
        kind: "channel",
        id: general,
        access: "public",
        name: "general",
        topic: "",
        purpose: "",
        createdBy: user,
        createdAt: at,
        posting: "all",
      },
      membershipOf(general, user, at),
    ];
    const line = { id: room.host.randomId(), author: user, at, system: { type: "created" as const } };
    const notices = new Map([[general, { changed: [], lines: [line as never], deny: [] }]]);
    const change = kind.changeWith(made, { notices, resighted: [], denied: [] }, memory.stem.head + 1);
    await commit(room, memory, { ...change, own: { ...kind.own, general } });
    return ok({ general });
  });
}

function add(room: Room<WorkspaceOwn>, { user, name, avatar, role, channels }: AddMember): Answer {
  return onWorkspace(room, async (memory, kind) => {
    const { directory } = kind;
    const known = directory.members.get(user);
    if (known?.deactivatedAt !== undefined) {
      return failed({ code: "forbidden", detail: "An admin has to let this person back in." });
    }
    if (known) return ok({ role: known.role, added: false });
    if (directory.members.size >= MEMBERS_MAX)
      return failed(failure("too_many", { field: "Members", limit: MEMBERS_MAX }));
    const at = room.host.now();
    const general = kind.own.general === null || (!isInside(role) && channels.length > 0) ? [] : [kind.own.general];
    const into = [...new Set([...general, ...channels])].filter((channel) => directory.channels.has(channel));
    const made: Unstamped[] = [
      { kind: "member", id: user, role, name, joinedAt: at, ...(avatar === undefined ? {} : { avatar }) },
      ...into.map((channel) => membershipOf(channel, user, at)),
    ];
    const effects = noticesOfJoining(kind.maker(user, at), made);
    await commit(room, memory, kind.changeWith(made, effects, memory.stem.head + 1));
    return ok({ role, added: true });
  });
}

function about(room: Room<WorkspaceOwn>, user: UserId): Answer {
  return onWorkspace(room, async (_memory, { directory }) => {
    const { workspace } = directory;
    const role = directory.active(user)?.role ?? null;
    const mayInvite = role !== null && (isAdmin(role) || (role === "member" && workspace?.policy.invite === "members"));
    return ok<AboutWorkspace>({
      name: workspace?.name ?? "",
      icon: workspace?.icon ?? null,
      members: directory.activeCount,
      role,
      mayInvite,
    });
  });
}

/** Unknown and forbidden are answered alike. */
function authorize(room: Room<WorkspaceOwn>, user: UserId, rooms: readonly RoomName[]): Answer {
  return onWorkspace(room, async (_memory, kind) => {
    const member = kind.directory.active(user);
    const granted: Record<RoomName, Perm[]> = {};
    const refused: AuthorizeResponse["refused"] = {};
    const channels: ChannelId[] = [];
    for (const name of rooms) {
      const ref = parseRoomName(name);
      const isHere = member !== null && ref?.workspace === kind.id;
      const may =
        isHere && (ref.party === "workspace" || kind.directory.sees(ref.channel, { user, role: member.role }));
      if (!may) {
        refused[name] = { code: "forbidden", reason: failure("forbidden").detail };
        continue;
      }
      granted[name] = [...permsOf(member.role)];
      if (ref.party === "channel") channels.push(ref.channel);
    }
    await kind.grants.note(user, channels);
    return ok<AuthorizeResponse>({ granted, role: member?.role ?? null, info: { name: member?.name ?? "" }, refused });
  });
}

function policy(room: Room<WorkspaceOwn>, channel: ChannelId): Answer {
  return onWorkspace(room, async (memory, { directory, owed }) => {
    const whole = policyFor(memory, directory, channel, { ...owed.get(channel), confirmed: null });
    return whole ? ok<Policy>(whole) : failed(failure("not_found"));
  });
}

function bumped(room: Room<WorkspaceOwn>, told: Bump): Answer {
  return onWorkspace(room, async (memory, kind) => {
    const { channel, author } = told;
    if (!kind.directory.channels.has(channel)) return failed(failure("not_found"));
    const isRestored = kind.book.isRestoredBy(told);
    if (isRestored && told.restored) await setBack(room, memory, kind, channel, told.restored);
    const row = await kind.book.after(room.host.storage, told, memory.stem.head);
    if (row) {
      await room.host.storage.commit({ [headRow(channel)]: row });
      kind.book.set(channel, row);
    }
    // Also where it is known: the channel asks again where it got no answer, and then it may be stored and nobody told.
    const known = kind.book.get(channel);
    if (known) kind.tellHead(channel, known, author);
    if (isRestored) room.broadcast.soon(memory);
    if (row) await afterBump(room, memory, kind, row);
    return ok({});
  });
}

function deny(room: Room<WorkspaceOwn>, denied: Denial): Answer {
  if (denied.sub === undefined && denied.sid === undefined) {
    return Promise.resolve(failed(failure("invalid", { rule: "names nobody" })));
  }
  return onWorkspace(room, async (memory, kind) => {
    const own = { ...kind.own, deny: withDenials(kind.own.deny, [denied], room.host.now()) };
    const change = kind.changeWith([], { notices: new Map(), resighted: [], denied: [denied] }, memory.stem.head);
    await commit(room, memory, { ...change, own });
    readmitAll(room, kind);
    return ok({});
  });
}

async function commit(
  room: Room<WorkspaceOwn>,
  memory: Memory<WorkspaceOwn>,
  change: Parameters<typeof room.commit>[1],
): Promise<void> {
  await room.commit(memory, change);
  room.finish(memory);
}

function membershipOf(channel: ChannelId, user: UserId, joinedAt: number): Unstamped {
  return { kind: "membership", id: membershipId(channel, user), channel, user, joinedAt };
}
