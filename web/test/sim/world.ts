// Real clients on made-up devices in front of real rooms, all on one clock that moves only when told.
import type { ChannelId, UserId } from "#protocol/ids.ts";
import type { AuthRequest, Me } from "#protocol/http.ts";
import { parseRoomName, roomNameOf } from "#protocol/room-name.ts";
import { problemOf, failure, type Failure } from "#protocol/errors.ts";
import { GENERAL, Team } from "../../../party/test/people.ts";
import type { Town } from "../../../party/test/town.ts";
import type { WorkspaceClient } from "../../sync/client.ts";
import type { Bus } from "../../store/store.ts";
import { deliver } from "../../sync/delivery.ts";
import type { Notes } from "../../sync/ports.ts";
import type { Flushed } from "../../sync/flush-room.ts";
import { openClient, type OpenedClient } from "../../sync/open-client.ts";
import { createProfile, type ProfileRig, type TabRig } from "../node-ports.ts";
import { Line } from "./network.ts";
import { seeded, type Seeded } from "./seeded.ts";
import "./later-code.ts";

export { GENERAL };

export interface Tab {
  readonly rig: TabRig;
  readonly client: OpenedClient;
  readonly workspace: WorkspaceClient;
  /** Its sockets end without a word to it. */
  readonly die: () => void;
}

export class Device {
  readonly user: UserId;
  readonly name: string;
  /** Whose session the edge knows this device by. */
  account: UserId;
  /** The edge knows no session of it. */
  isSessionOver = false;
  readonly line: Line;
  /** How far its clock is off, ms. */
  skewMs = 0;
  readonly tabs: Tab[] = [];
  readonly #profile: ProfileRig;

  /** What bytes cost on its line, where it keeps notes. */
  costs: "free" | "metered" = "free";
  /** When the browser tells that. */
  untilTold: Promise<unknown> = Promise.resolve();

  constructor(world: World, user: UserId, name: string, notes: Notes | null) {
    this.user = user;
    this.name = name;
    this.account = user;
    this.line = new Line(world.town);
    this.#profile = createProfile({
      origin: "http://rooms.test",
      fetch: (input, init) => world.answer(this, input, init),
      timers: {
        set: (run, ms) => world.town.later(Math.max(0, Math.round(ms)), async () => run()),
        clear: (timer) => (timer as (() => void) | null | undefined)?.(),
      },
      now: () => world.town.now + this.skewMs,
      random: world.random.next,
      report: (error) => world.bugs.push(error),
      ...(notes && { notes, costs: () => this.costs, untilTold: () => this.untilTold }),
    });
  }

  get databases(): IDBFactory {
    return this.#profile.indexedDB;
  }

  async open(channel: ChannelId = GENERAL): Promise<Tab> {
    const sockets = this.line.openSockets();
    const rig = this.#profile.openTab(sockets.webSocket);
    const client = await openClient(rig.ports);
    const refreshed = await client.account.refresh();
    const workspace = client.open("team");
    if (workspace === null) throw new Error(`no workspace: ${JSON.stringify(refreshed)}`);
    // What the shell of the app listens to.
    for (const view of [workspace.connection, workspace.channels, workspace.outbox]) view.subscribe(() => undefined);
    workspace.commands.look(channel);
    const tab = { rig, client, workspace, die: sockets.die };
    this.tabs.push(tab);
    return tab;
  }

  /** As another tab has them. */
  get locks(): LockManager | null {
    return this.#profile.openTab().ports.locks;
  }

  /** What the person's tabs tell one another, or what all tabs do. */
  openBus(name = `causeway/causeway/${this.user}`): Bus {
    return this.#profile.openTab().ports.openBus(name);
  }

  /** What the service worker does, with a tab beside it or without. */
  deliver(replaced: AbortSignal = NEVER): Promise<Flushed> {
    const { ports } = this.#profile.openTab();
    return deliver({ ...ports, indexedDB: this.databases, hasTabs: async () => this.tabs.length > 0, replaced });
  }

  /** The tab dies between two steps of whatever it did. */
  crash(tab: Tab): void {
    tab.rig.crash();
    tab.die();
    this.tabs.splice(this.tabs.indexOf(tab), 1);
  }
}

const NEVER = new AbortController().signal;

export class World {
  readonly team: Team;
  readonly random: Seeded;
  readonly devices: Device[] = [];
  readonly bugs: unknown[] = [];
  /** The rooms of each token, and what was called over HTTP. */
  readonly granted: string[][] = [];
  readonly calls: { readonly room: string; readonly action: string }[] = [];
  /** Happens when a room has done what it was called for over HTTP, and before that is known here. */
  interfere: (() => void) | null = null;

  private constructor(team: Team, random: Seeded) {
    this.team = team;
    this.random = random;
  }

  static async make(seed: number): Promise<World> {
    return new World(await Team.make(), seeded(seed));
  }

  get town(): Town {
    return this.team.town;
  }

  /** @param notes what lies beside its databases */
  async device(user: UserId, name: string = user, notes: Notes | null = null): Promise<Device> {
    const device = new Device(this, user, name, notes);
    this.devices.push(device);
    return device;
  }

  /** The edge, as far as the client calls it. */
  async answer(device: Device, input: string, init: RequestInit): Promise<Response> {
    await this.pause(5);
    if (!device.line.isUp) throw new TypeError("fetch failed");
    const { pathname } = new URL(input);
    if (pathname === "/config.json") return Response.json(CONFIG);
    if (device.isSessionOver && pathname.startsWith("/api/")) return unauthenticated();
    if (pathname === "/api/me") return Response.json(this.me(device.account));
    if (pathname === "/api/auth/sign-out") return Response.json({ success: true });
    if (pathname !== "/api/rooms/auth") return this.#room(device, new URL(input), init);
    return this.authorize(device.account, JSON.parse(init.body as string) as AuthRequest);
  }

  /** A room's calls over HTTP; an answer may be lost on the way back. */
  async #room(device: Device, { pathname, search }: URL, init: RequestInit): Promise<Response> {
    const [, , party = "", id = "", name = ""] = pathname.split("/");
    const method = init.method ?? "GET";
    const token = new Headers(init.headers).get("authorization")?.replace(/^Bearer /, "") ?? "";
    const body = init.body === undefined ? undefined : (JSON.parse(init.body as string) as unknown);
    this.calls.push({ room: `${party}:${id}`, action: `${method} ${name}` });
    const answer = await this.town.at(`${party}:${id}`).http(method, name + search, token, body);
    this.interfere?.();
    await this.pause(5);
    if (init.signal?.aborted === true || !device.line.isUp) throw new TypeError("fetch failed");
    if (!isFailure(answer)) return Response.json(answer);
    const told = problemOf(answer);
    return Response.json(told, { status: told.status });
  }

  async authorize(user: UserId, { room, rooms = [room] }: AuthRequest): Promise<Response> {
    const refs = rooms.map(parseRoomName).filter((ref) => ref !== null);
    const found = await Promise.all(
      refs.map(async (ref) => [roomNameOf(ref), await this.team.perms(user, ref)] as const),
    );
    const perms = Object.fromEntries(found.filter(([, list]) => list.length > 0));
    this.granted.push(Object.keys(perms));
    const [first] = refs;
    if (first === undefined || Object.keys(perms).length === 0) return forbidden();
    const why = { code: "forbidden", reason: failure("forbidden").detail };
    const refused = Object.fromEntries(rooms.filter((name) => !(name in perms)).map((name) => [name, why]));
    return Response.json({ token: await this.town.token(user, first, [], { perms }), refused });
  }

  me(user: UserId): Me {
    const { workspace } = this.team.workspace;
    return {
      user: { id: user, name: user, email: `${user}@team.example` },
      workspaces: [{ id: workspace, slug: "team", name: "Team", role: "member" }],
    };
  }

  /** Resolves when that much time has gone by. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.town.later(ms, async () => resolve()));
  }

  /** Lets time go by in steps, and what is under way in this process (databases, signatures) come along. */
  async pass(ms: number, stepMs = 25): Promise<void> {
    const end = this.town.now + ms;
    while (this.town.now < end) {
      await this.town.pass(Math.min(stepMs, end - this.town.now));
      await breathe();
    }
  }

  /** Lets time go by until it is so; throws when it never becomes so. */
  async until(what: string, isSo: () => boolean | Promise<boolean>, withinMs = 300_000): Promise<void> {
    const end = this.town.now + withinMs;
    while (!(await isSo())) {
      if (this.bugs.length > 0) throw this.bugs[0];
      if (this.town.now >= end) throw new Error(`never came: ${what}\n${this.describe()}`);
      await this.pass(50);
    }
  }

  /** Where everybody stands, for a run that does not end. */
  describe(): string {
    const lines = this.devices.flatMap(({ name, tabs }) =>
      tabs.map(({ workspace }) => {
        const { connection, rooms, outbox, isLeader } = workspace.status.snapshot();
        return JSON.stringify({
          name,
          isLeader,
          connection,
          outbox,
          rooms: rooms.map(({ label, link, cursor, head, detail }) => ({ label, link, cursor, head, detail })),
        });
      }),
    );
    return lines.join("\n");
  }

  /** Runs something that needs time to go by. */
  async during<Value>(work: Promise<Value>): Promise<Value> {
    const progress = { isDone: false };
    const marked = work.finally(() => {
      progress.isDone = true;
    });
    marked.catch(() => undefined);
    while (!progress.isDone) await this.pass(25);
    return marked;
  }

  /** All lines up, everything delivered and everybody up to date. */
  async settle(): Promise<void> {
    for (const { line } of this.devices) {
      line.restore();
    }
    for (const tab of this.devices.flatMap(({ tabs }) => tabs)) tab.rig.happen("online");
    await this.until("everybody live, outboxes empty", () => this.devices.every((device) => isSettled(device)));
    // A line that died unnoticed while a page was owed is given up only after a minute.
    await this.pass(65_000, 1_000);
    await this.until("everybody live, outboxes empty, still", () => this.devices.every((device) => isSettled(device)));
  }

  async close(): Promise<void> {
    for (const { tabs } of this.devices) for (const { client } of tabs) await this.during(client.close());
  }
}

function isSettled({ tabs }: Device): boolean {
  return tabs.every(({ workspace }) => {
    const outbox = workspace.outbox.snapshot();
    const isEmpty = outbox.state === "ready" && outbox.value.waitingCount === 0;
    return isEmpty && workspace.connection.snapshot().state === "live";
  });
}

/** Real time, for what this process does on its own. */
async function breathe(): Promise<void> {
  for (let i = 0; i < 4; i++) await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setTimeout(resolve, 1));
}

function isFailure(answer: unknown): answer is Failure {
  return typeof answer === "object" && answer !== null && "code" in answer && !("t" in answer);
}

function unauthenticated(): Response {
  return Response.json(problemOf(failure("unauthenticated")), { status: 401 });
}

function forbidden(): Response {
  return Response.json(problemOf(failure("forbidden")), {
    status: 403,
    headers: { "content-type": "application/problem+json" },
  });
}

const CONFIG = {
  version: 1,
  authEndpoint: "/api/rooms/auth",
  authCredentials: "same-origin",
  api: "/api",
  rooms: "",
  build: "test",
  signIn: ["password"],
  openSignup: true,
};
