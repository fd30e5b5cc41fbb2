// Workspace rooms in memory, answering the edge's service calls as a real one would. Stands in for the process border
// between edge and rooms; the rooms' own tests show that the real ones answer the same.
import { jwtVerify } from "jose";
import * as v from "valibot";
import { failure, problemOf, type ErrorCode } from "#protocol/errors.ts";
import { userId } from "#protocol/ids.ts";
import type { Perm, Role } from "#protocol/roles.ts";
import { isAdmin } from "#protocol/roles.ts";
import { parseRoomName } from "#protocol/room-name.ts";
import {
  addMember,
  authorizeRequest,
  createRoom,
  denial,
  serviceClaims,
  type AddMember,
  type Denial,
} from "#protocol/service.ts";
import { SERVICE_AUDIENCE } from "#protocol/token.ts";

interface FakeWorkspace {
  readonly name: string;
  readonly members: Map<string, { name: string; role: Role }>;
  /** Channel → who may enter; null: everybody. */
  readonly channels: Map<string, ReadonlySet<string> | null>;
}

const PERMS: readonly Perm[] = ["read", "write", "pin"];

export class FakeRooms {
  readonly workspaces = new Map<string, FakeWorkspace>();
  /** `POST create` and the like, in the order in which they arrived. */
  readonly calls: string[] = [];
  /** What the next calls do instead of answering. */
  failing: "unreachable" | "breaks" | "nonsense" | "refuses-signature" | "turns-away" | "takes-nobody" | null = null;
  membersMayInvite = false;
  /** By workspace, what it was told to refuse. */
  readonly denied: { readonly workspace: string; readonly denial: Denial }[] = [];

  /** `POST members`, in order. */
  readonly added: AddMember[] = [];

  private readonly secret: Uint8Array;

  constructor(secret: string) {
    this.secret = new TextEncoder().encode(secret);
  }

  /** Only what the edge uses of a namespace of Durable Objects. */
  get namespace(): DurableObjectNamespace {
    const namespace = {
      idFromName: (name: string) => name,
      get: (name: string) => ({ fetch: (request: Request) => this.answer(name, request) }),
    };
    return namespace as unknown as DurableObjectNamespace;
  }

  async answer(id: string, request: Request): Promise<Response> {
    if (this.failing === "unreachable") throw new Error("The room is gone");
    if (this.failing === "breaks") return new Response("stack at line 1", { status: 500 });
    if (this.failing === "nonsense") return Response.json({ answer: 42 });
    if (this.failing === "refuses-signature") return refusal("unauthenticated");
    const url = new URL(request.url);
    const body = await request.text();
    await this.verify(request, url, body);
    const action = url.pathname.split("/").at(-1) ?? "";
    this.calls.push(`${request.method} ${action}`);
    const workspace = this.workspaces.get(id);
    if (action === "create") return this.create(id, JSON.parse(body));
    if (!workspace) return refusal("not_found");
    if (action === "about") return Response.json(this.about(workspace, v.parse(userId, url.searchParams.get("user"))));
    if (action === "members" && this.failing === "turns-away") return refusal("forbidden");
    if (action === "members" && this.failing === "takes-nobody") throw new Error("The room is gone");
    if (action === "members") return Response.json(this.add(workspace, JSON.parse(body)));
    if (action === "authorize") return Response.json(this.authorize(workspace, JSON.parse(body)));
    if (action === "deny") return this.deny(id, JSON.parse(body));
    return refusal("not_found");
  }

  private async verify(request: Request, url: URL, body: string): Promise<void> {
    const token = request.headers.get("authorization")?.replace("Bearer ", "") ?? "";
    const { payload } = await jwtVerify(token, this.secret, { audience: SERVICE_AUDIENCE, algorithms: ["HS256"] });
    const claims = v.parse(serviceClaims, payload);
    const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(body));
    const wanted = Buffer.from(hash).toString("base64url");
    if (claims.method !== request.method || claims.path !== url.pathname + url.search || claims.body !== wanted) {
      throw new Error("The signature is for another call");
    }
  }

  private create(id: string, body: unknown): Response {
    const { workspace, owner, general } = v.parse(createRoom, body);
    const [there] = this.workspaces.get(id)?.channels.keys() ?? [];
    if (there !== undefined) return Response.json({ general: there }, { status: 201 });
    this.workspaces.set(id, {
      name: workspace.name,
      members: new Map([[owner.user, { name: owner.name, role: "owner" }]]),
      channels: new Map([[general, null]]),
    });
    return Response.json({ general }, { status: 201 });
  }

  private about(workspace: FakeWorkspace, user: string): unknown {
    const role = workspace.members.get(user)?.role ?? null;
    const mayInvite = role !== null && (isAdmin(role) || (role === "member" && this.membersMayInvite));
    return { name: workspace.name, icon: null, members: workspace.members.size, role, mayInvite };
  }

  private add(workspace: FakeWorkspace, body: unknown): unknown {
    const asked = v.parse(addMember, body);
    const { user, name, role } = asked;
    this.added.push(asked);
    const present = workspace.members.get(user);
    if (!present) workspace.members.set(user, { name, role });
    return { role: present?.role ?? role, added: !present };
  }

  private deny(workspace: string, body: unknown): Response {
    this.denied.push({ workspace, denial: v.parse(denial, body) });
    return Response.json({});
  }

  private authorize(workspace: FakeWorkspace, body: unknown): unknown {
    const { user, rooms } = v.parse(authorizeRequest, body);
    const member = workspace.members.get(user);
    const granted: Record<string, readonly Perm[]> = {};
    const refused: Record<string, { code: ErrorCode; reason: string }> = {};
    for (const name of rooms) {
      const room = parseRoomName(name);
      const audience = room?.party === "channel" ? workspace.channels.get(room.channel) : null;
      const isIn = member !== undefined && audience !== undefined && (audience === null || audience.has(user));
      if (isIn) granted[name] = isAdmin(member.role) ? [...PERMS, "manage"] : PERMS;
      else refused[name] = { code: "forbidden", reason: failure("forbidden").detail };
    }
    return { granted, refused, role: member?.role ?? null, info: { name: member?.name ?? "" } };
  }
}

function refusal(code: ErrorCode): Response {
  const problem = problemOf(failure(code));
  return Response.json(problem, { status: problem.status });
}
