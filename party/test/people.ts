// A workspace in a town, and people who come into its rooms.
import type { ChannelId, DeviceId, OpId, UserId, WorkspaceId } from "#protocol/ids.ts";
import type { Answer } from "#protocol/frames/answer.ts";
import { roomNameOf, type RoomRef } from "#protocol/room-name.ts";
import type { OpFrame } from "#protocol/frames/op.ts";
import type { Role } from "#protocol/roles.ts";
import { Town, type Site, type Wire } from "./town.ts";

export const OLGA = "olga" as UserId;
export const GENERAL = "general" as ChannelId;
const ID = "w" as WorkspaceId;

export class Team {
  readonly town = new Town();
  readonly workspace: RoomRef = { party: "workspace", workspace: ID };

  /** Olga's workspace, with its channel `general`. */
  static async make(): Promise<Team> {
    const team = new Team();
    const asked = {
      workspace: { id: ID, slug: "team", name: "Team" },
      owner: { user: OLGA, name: "Olga" },
      general: GENERAL,
    };
    await team.call("POST", "create", asked);
    await team.town.quiet();
    return team;
  }

  get directory(): Site {
    return this.town.site(this.workspace);
  }

  channel(id: string = GENERAL): RoomRef {
    return { party: "channel", workspace: ID, channel: id as ChannelId };
  }

  room(id: string = GENERAL): Site {
    return this.town.site(this.channel(id));
  }

  async call(method: string, action: string, body?: unknown): Promise<unknown> {
    const { status, body: answer } = await this.directory.call(method, action, body);
    if (status !== 200) throw new Error(`${action} answered ${status} ${JSON.stringify(answer)}`);
    return answer;
  }

  /** A new member. */
  async invite(name: string, role: Role = "member", channels: readonly string[] = []): Promise<UserId> {
    await this.call("POST", "members", { user: name, name, role, channels });
    await this.town.quiet();
    return name as UserId;
  }

  async perms(user: UserId, room: RoomRef): Promise<readonly string[]> {
    const { granted } = (await this.call("POST", "authorize", { user, rooms: [roomNameOf(room)] })) as {
      granted: Record<string, string[]>;
    };
    return granted[roomNameOf(room)] ?? [];
  }

  async token(user: UserId, room: RoomRef): Promise<string> {
    return this.town.token(user, room, await this.perms(user, room));
  }

  /** Somebody in a room, greeted. */
  async enter(user: UserId, room: RoomRef = this.channel(), hello: Record<string, unknown> = {}): Promise<Person> {
    const person = new Person(this, user, room);
    await person.hello(hello);
    return person;
  }
}

/** A person's device in one room. Ops get their numbers in the order they are done. */
export class Person {
  readonly team: Team;
  readonly user: UserId;
  readonly room: RoomRef;
  device: DeviceId;
  wire: Wire;
  n = 0;

  constructor(team: Team, user: UserId, room: RoomRef) {
    this.team = team;
    this.user = user;
    this.room = room;
    this.device = team.town.newId() as DeviceId;
    this.wire = team.town.site(room).open();
  }

  async hello(more: Record<string, unknown> = {}): Promise<void> {
    const token = await this.team.token(this.user, this.room);
    await this.wire.say({ t: "hello", v: 1, token, device: this.device, since: null, ...more });
  }

  /** Comes back after the connection was lost. */
  async again(more: Record<string, unknown> = {}): Promise<void> {
    this.wire.drop();
    this.wire = this.team.town.site(this.room).open();
    await this.hello(more);
  }

  frame(op: string, args: unknown, n: number = this.n + 1): OpFrame {
    return { t: "op", n, id: this.team.town.newId() as OpId, op, args, at: this.team.town.now };
  }

  /** Does the op and answers what the room said. */
  async op(op: string, args: unknown): Promise<Answer> {
    this.n += 1;
    return this.send(this.frame(op, args, this.n));
  }

  async send(frame: OpFrame | Record<string, unknown>): Promise<Answer> {
    await this.wire.say(frame);
    const answer = this.wire.frames.findLast(({ t }) => t === "ack" || t === "refuse");
    if (!answer) throw new Error(`No answer; ${JSON.stringify(this.wire.closed)}`);
    return answer as Answer;
  }

  post(text: string, more: Record<string, unknown> = {}): Promise<Answer> {
    return this.op("message.post", { id: this.team.town.newId(), text, ...more });
  }
}

/** The code of a refusal; `ack` for an effect, `none` for an ack without. */
export function outcome(answer: Answer): string {
  if (answer.t === "refuse") return answer.code;
  return answer.rev === null ? "none" : "ack";
}
