// Everything of one run: rooms, devices, the edge between them, the clock, and the list of what happened.
import type { ChannelId, UserId, WorkspaceId } from "#protocol/ids.ts";
import type { RoomName, RoomRef } from "#protocol/room-name.ts";
import type { Role } from "#protocol/roles.ts";
import { seeded, type Seeded } from "../sim/seeded.ts";
import { Device, type Tab } from "./device.ts";
import { Edge } from "./edge.ts";
import { Elsewhere } from "./elsewhere.ts";
import type { Sabotage } from "./sabotage.ts";
import { HONEST } from "./sabotage.ts";
import { Ledger } from "./ledger.ts";
import { Loop } from "./loop.ts";
import { Rooms } from "./rooms.ts";
import type { SocketHooks } from "./socket.ts";

/** Some day at noon. */
const START = Date.UTC(2026, 10, 21, 12);

export interface WorldOptions {
  readonly seed: number;
  readonly sabotage?: Sabotage;
  readonly hear?: (line: string) => void;
}

export class World {
  readonly random: Seeded;
  readonly loop: Loop;
  readonly rooms: Rooms;
  readonly edge: Edge;
  readonly ledger: Ledger;
  readonly devices: Device[] = [];
  /** Errors that reached the one place where bugs are shown. */
  readonly bugs: unknown[] = [];
  readonly team: RoomRef & { readonly party: "workspace" } = { party: "workspace", workspace: "w" as WorkspaceId };
  readonly general = "general" as ChannelId;
  readonly sabotage: Sabotage;
  /** Commands begun and not known to be done, by what they are about. */
  readonly begun = new Map<string, number>();
  /** Time that goes by beside the steps. */
  idleMs = 0;
  isOver = false;
  /** When any room last stored anything. */
  wroteAt = 0;
  floods = 0;
  backup: readonly [RoomName, ReadonlyMap<string, string>] | null = null;
  readonly elsewhere: Elsewhere;
  /** Channels made in this run. */
  made = 0;
  /** Frames carried so far. */
  frames = 0;
  /** Of everything that happened, in order. */
  hash = 0x811c9dc5;
  readonly #hear: ((line: string) => void) | undefined;
  #ids = 0;

  constructor({ seed, sabotage = HONEST, hear }: WorldOptions) {
    this.random = seeded(seed);
    this.loop = new Loop(START, this.random);
    this.sabotage = sabotage;
    this.#hear = hear;
    this.ledger = new Ledger(this);
    this.rooms = new Rooms({
      loop: this.loop,
      random: this.random,
      newId: this.newId,
      trace: this.trace,
      wrote: (room, puts) => {
        this.wroteAt = this.loop.now;
        this.ledger.wrote(room, puts);
      },
    });
    this.edge = new Edge(this);
    this.elsewhere = new Elsewhere(this, "olga" as UserId);
  }

  /** Of the form of a UUIDv7, in order. */
  readonly newId = (): string => {
    this.#ids += 1;
    const time = this.loop.now.toString(16).padStart(12, "0");
    const count = this.#ids.toString(16).padStart(12, "0");
    return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${count}`;
  };

  readonly trace = (line: string): void => {
    let { hash } = this;
    for (let i = 0; i < line.length; i++) hash = Math.imul(hash ^ line.charCodeAt(i), 0x01000193);
    this.hash = Math.imul(hash ^ this.loop.now, 0x01000193) >>> 0;
    this.#hear?.(`${((this.loop.now - START) / 1_000).toFixed(3).padStart(9)} ${line}`);
  };

  reported(tab: Tab, error: unknown): void {
    this.#reported(tab.name, error);
  }

  workerReported(device: Device, error: unknown): void {
    this.#reported(`${device.name} worker`, error);
  }

  #reported(who: string, error: unknown): void {
    // A full disk is the weather, not a bug.
    if (error instanceof DOMException && error.name === "QuotaExceededError") return;
    this.trace(`${who} reports ${String(error)}`);
    this.bugs.push(error);
  }

  channel(id: ChannelId): RoomRef & { readonly party: "channel" } {
    return { party: "channel", workspace: this.team.workspace, channel: id };
  }

  hooks(device: Device): SocketHooks {
    return {
      roomAt: (path) => {
        const [, , party = "", id = ""] = path.split("/");
        return this.rooms.named(`${party}:${id}`);
      },
      mayMangle: (text) => /^\{"t":"(?:op|changes|ack|signal|history)"/.test(text),
      passing: (way, room, text, socket) => {
        const sent = way === "up" && device.farBehind > 0 ? farBehind(device, room.ref.party, text) : text;
        const passing = { way, room: room.name, text: sent, socket, device: device.name, world: this };
        const through = this.sabotage.frame === undefined ? sent : this.sabotage.frame(passing);
        this.frames += 1;
        this.trace(`${device.name} ${way} ${room.name} ${through ?? "(nothing)"}`);
        if (through !== null) this.ledger.frame(device, way, room.name, through);
        return through;
      },
    };
  }

  /** Olga's workspace with its channel `general`. */
  async found(): Promise<void> {
    const asked = {
      workspace: { id: this.team.workspace, slug: "team", name: "Team" },
      owner: { user: "olga", name: "Olga" },
      general: this.general,
    };
    await this.loop.during(this.rooms.at(this.team).call("POST", "create", asked));
  }

  async invite(user: UserId, role: Role, channels: readonly ChannelId[] = []): Promise<void> {
    const asked = { user, name: user, role, channels };
    await this.loop.during(this.rooms.at(this.team).call("POST", "members", asked));
  }

  device(user: UserId, name: string): Device {
    const device = new Device(this, user, name);
    this.devices.push(device);
    return device;
  }

  get tabs(): Tab[] {
    return this.devices.flatMap(({ tabs }) => tabs);
  }
}

/** A hello as of a replica so old that the room would answer with its newest page. */
function farBehind(device: Device, party: string, text: string): string {
  if (party !== "channel" || !text.startsWith('{"t":"hello"')) return text;
  device.farBehind -= 1;
  return JSON.stringify({ ...(JSON.parse(text) as object), since: null, newest: 1 + device.world.random.below(6) });
}
