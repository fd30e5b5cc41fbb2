// One person's browser: a disk, a line, a clock that may lie, and tabs that may end anywhere.
import type { ChannelId, UserId } from "#protocol/ids.ts";
import type { WorkspaceClient } from "../../sync/client.ts";
import { openClient, type OpenedClient } from "../../sync/open-client.ts";
import type { Timeline } from "../../store/timeline-snapshots.ts";
import { createProfile, type ProfileRig, type TabRig } from "../node-ports.ts";
import { Line } from "./line.ts";
import { SimSocket } from "./socket.ts";
import { openTabDisk } from "./tab-disk.ts";
import type { World } from "./world.ts";

export class Device {
  readonly name: string;
  readonly user: UserId;
  readonly line: Line;
  readonly world: World;
  readonly tabs: Tab[] = [];
  readonly profile: ProfileRig;
  session = { sid: "", isOn: true };
  /** How far its clock is off. */
  skewMs = 0;
  /** Of one write, how likely the disk is full. */
  full = 0;
  /** Once it was full, its pages fetch no more history until they are opened anew. */
  wasFull = false;
  /** So many greetings more are answered as if it had been away for years. */
  farBehind = 0;
  #tabs = 0;

  constructor(world: World, user: UserId, name: string) {
    this.world = world;
    this.user = user;
    this.name = name;
    this.session = { sid: `s-${name}`, isOn: true };
    this.line = new Line(world.loop, world.random);
    this.profile = createProfile({
      origin: "http://rooms.test",
      timers: {
        set: (run, ms) => world.loop.later(Math.round(ms), run),
        clear: (timer) => (timer as (() => void) | null | undefined)?.(),
      },
      now: () => world.loop.now + this.skewMs,
      random: world.random.next,
      newId: world.newId,
    });
  }

  open(): Tab {
    this.#tabs += 1;
    const tab = new Tab(this, `${this.name}.${this.#tabs}`);
    this.tabs.push(tab);
    return tab;
  }
}

/** A page. Everything it reaches the world by ends with it. */
export class Tab {
  readonly name: string;
  readonly device: Device;
  readonly rig: TabRig;
  client: OpenedClient | null = null;
  workspace: WorkspaceClient | null = null;
  isAlive = true;
  isHung = false;
  channel: ChannelId | null = null;
  timeline: Timeline | null = null;
  /** Dies behind so many more commits, before it hears of the last. */
  diesIn: number | null = null;
  readonly #sockets = new Set<SimSocket>();
  readonly #disk;
  #unsubscribe: (() => void) | null = null;

  constructor(device: Device, name: string) {
    const { world, profile, line } = device;
    this.device = device;
    this.name = name;
    this.rig = profile.openTab();
    this.#disk = openTabDisk(profile.indexedDB, {
      isFull: () => world.random.chance(device.full),
      begun: () => undefined,
      committed: (mode) => {
        if (mode !== "readwrite" || this.diesIn === null) return;
        this.diesIn -= 1;
        if (this.diesIn < 0) this.crash();
      },
    });
    const own = this.#sockets;
    const webSocket = class extends SimSocket {
      constructor(url: string) {
        super(url, line, world.hooks(device));
        own.add(this);
      }
    } as unknown as typeof WebSocket;
    const ports = {
      ...this.rig.ports,
      indexedDB: this.#disk.factory,
      webSocket,
      fetch: async (input: string, init: RequestInit) => {
        const reply = await world.edge.fetch(device, input, init);
        return this.isAlive ? reply : new Promise<never>(() => undefined);
      },
      report: (error: unknown) => {
        if (this.isAlive) world.reported(this, error);
      },
    };
    void openClient(ports)
      .then((client) => {
        this.client = client;
        this.enter();
        client.account.session.subscribe(() => {
          if (client.account.session.snapshot().state === "nobody") this.exit();
          else this.enter();
        });
      })
      .catch((error: unknown) => ports.report(error));
  }

  /** Opens the workspace as soon as the device knows of it. */
  enter(): boolean {
    if (this.workspace !== null) return true;
    const workspace = this.client?.open("team") ?? null;
    if (workspace === null) return false;
    this.workspace = workspace;
    // What the shell of the app listens to.
    for (const view of [workspace.connection, workspace.channels, workspace.outbox]) view.subscribe(() => undefined);
    this.look(this.device.world.general);
    return true;
  }

  /** Who was here has signed out. */
  exit(): void {
    this.workspace = null;
    this.channel = null;
    this.#unsubscribe?.();
    this.#unsubscribe = null;
    this.timeline = null;
  }

  look(channel: ChannelId): void {
    if (this.workspace === null) return;
    this.channel = channel;
    this.#unsubscribe?.();
    this.timeline = this.workspace.timeline(channel);
    this.#unsubscribe = this.timeline.subscribe(() => undefined);
    this.workspace.commands.look(channel);
  }

  /** The page ends between two steps of whatever it did. */
  crash(): void {
    if (!this.isAlive) return;
    this.device.world.trace(`${this.name} dies`);
    this.isAlive = false;
    this.rig.crash();
    this.#disk.die();
    for (const socket of this.#sockets) socket.vanish();
    const { tabs } = this.device;
    tabs.splice(tabs.indexOf(this), 1);
  }

  /** Does nothing any more and holds what it holds. */
  hang(): void {
    this.isHung = true;
    this.rig.hang();
  }
}
