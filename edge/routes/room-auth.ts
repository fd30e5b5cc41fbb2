// Channel authorisation (protocol, section 2): who you are comes from the session, what you may do from the workspace
// room, and both leave as one signed token for one workspace.
import { Hono } from "hono";
import { failure, type Failure } from "#protocol/errors.ts";
import { authRequest, type AuthResponse, type RefusedRooms } from "#protocol/http.ts";
import { failed, ok, type Result } from "#protocol/result.ts";
import type { Perm } from "#protocol/roles.ts";
import { parseRoomName, roomNameOf, type RoomRef } from "#protocol/room-name.ts";
import { authorizeResponse, type AuthorizeRequest, type AuthorizeResponse } from "#protocol/service.ts";
import { limitSession } from "../auth/limits.ts";
import { signRoomToken } from "../auth/room-tokens.ts";
import { callRoom } from "../auth/service.ts";
import { sessionOf, type Session } from "../auth/session.ts";
import { isDatabaseFault } from "../db/fault.ts";
import { findWorkspace, noteRole } from "../db/workspaces.ts";
import type { Env } from "../env.ts";
import { readJson } from "../http/body.ts";
import { json, problem } from "../http/reply.ts";

type Refusals = Map<string, { code: Failure["code"]; reason: string }>;

export const roomAuth = new Hono<{ Bindings: Env }>();

roomAuth.post("/rooms/auth", async (c) => {
  // Before anything is looked up: what is denied from here on meets the token ([AU12]), however long the answers take.
  const askedAt = Date.now();
  const session = await sessionOf(c.req.raw, c.env);
  if (!session.ok) return problem(session.error);
  const limited = await limitSession(c.env, session.value.id);
  if (!limited.ok) return problem(limited.error);
  const body = await readJson(c.req.raw, authRequest);
  if (!body.ok) return problem(body.error);

  const { rooms, refused } = sortNames([body.value.room, ...(body.value.rooms ?? [])]);
  const answer = await authorize(c.env, session.value, rooms);
  if (!answer.ok) return problem(answer.error);
  const granted = new Map<string, readonly Perm[]>();
  for (const room of rooms) {
    const name = roomNameOf(room);
    const perms = answer.value?.granted[name] ?? [];
    if (perms.length > 0) granted.set(name, perms);
    else refused.set(name, answer.value?.refused[name] ?? unknownRoom());
  }

  const [first] = rooms;
  const refusals: RefusedRooms = Object.fromEntries(refused);
  if (granted.size === 0 || !first || !answer.value) return problem(failure("forbidden"), { refused: refusals });
  const grant = { workspace: first.workspace, perms: Object.fromEntries(granted), name: answer.value.info.name };
  const token = await signRoomToken(c.env, session.value, grant, askedAt);
  return json({ token, refused: refusals } satisfies AuthResponse, 200, session.value.headers);
});

/** A token is for one workspace: that of the first well-formed name. The rest is refused name by name. */
function sortNames(names: readonly string[]): { rooms: RoomRef[]; refused: Refusals } {
  const rooms: RoomRef[] = [];
  const refused: Refusals = new Map();
  for (const name of new Set(names)) {
    const room = parseRoomName(name);
    if (!room) refused.set(name, { code: "invalid", reason: "This isn't the name of a room." });
    else if (rooms[0] && rooms[0].workspace !== room.workspace) {
      refused.set(name, { code: "invalid", reason: "A token is for one workspace: ask for this room by itself." });
    } else rooms.push(room);
  }
  return { rooms, refused };
}

/** Null where there is no such workspace, which is answered like one that the person isn't in. */
async function authorize(
  env: Env,
  session: Session,
  rooms: readonly RoomRef[],
): Promise<Result<AuthorizeResponse | null, Failure>> {
  const [first] = rooms;
  if (!first) return ok(null);
  const workspace = await findWorkspace(env.DB, first.workspace);
  if (!workspace) return ok(null);
  const body: AuthorizeRequest = { user: session.user.id, rooms: rooms.map(roomNameOf) };
  const room = { party: "workspace", workspace: workspace.id } as const;
  const answer = await callRoom(env, room, { method: "POST", action: "authorize", body }, authorizeResponse);
  if (!answer.ok) return answer.error.code === "not_found" ? ok(null) : failed(answer.error);
  try {
    await noteRole(env.DB, workspace.id, session.user.id, answer.value.role, Date.now());
  } catch (error) {
    // For their list only: where it can't be written nobody is kept from their rooms, and it is noted the next time.
    if (!isDatabaseFault(error)) throw error;
  }
  return answer;
}

function unknownRoom(): { code: Failure["code"]; reason: string } {
  const { code, detail } = failure("forbidden");
  return { code, reason: detail };
}
