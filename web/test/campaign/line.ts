// What lies between one device and everything else: it cuts, hangs, goes deaf or mute, delays, doubles and reorders.
import type { Seeded } from "../sim/seeded.ts";
import type { Loop } from "./loop.ts";
import type { SimSocket } from "./socket.ts";

/** Each but the last a probability for one frame. */
export interface Weather {
  /** Cut while it is on its way: half of them lose it, half deliver it first. */
  readonly cuts: number;
  readonly doubles: number;
  readonly reorders: number;
  readonly delayMs: number;
}

export const FAIR: Weather = { cuts: 0, doubles: 0, reorders: 0, delayMs: 20 };

/** `mute`: nothing goes up. `deaf`: nothing comes down. `portal`: every page is the portal's. */
export type LineState = "up" | "down" | "hanging" | "mute" | "deaf" | "portal";
export type Way = "up" | "down";

export class Line {
  weather: Weather = FAIR;
  state: LineState = "up";
  readonly sockets = new Set<SimSocket>();
  readonly loop: Loop;
  readonly random: Seeded;

  constructor(loop: Loop, random: Seeded) {
    this.loop = loop;
    this.random = random;
  }

  get mayOpen(): boolean {
    return this.state === "up";
  }

  swallows(way: Way): boolean {
    return (
      this.state === "hanging" || (this.state === "mute" && way === "up") || (this.state === "deaf" && way === "down")
    );
  }

  /** Every connection breaks here, and none comes about; the other side hears of it when it hears of it. */
  set(state: LineState): void {
    if (state === "up") return this.restore();
    this.state = state;
    if (state === "down" || state === "portal") for (const socket of this.sockets) socket.break();
  }

  /** What was swallowed comes late after all, or the connection is found broken, or it never says a word again. */
  restore(): void {
    const was = this.state;
    this.state = "up";
    if (was === "up" || was === "down" || was === "portal") return;
    for (const socket of this.sockets) {
      const fate = this.random.next();
      if (fate < 0.4) socket.release();
      else if (fate < 0.8) socket.break();
      else socket.isZombie = true;
    }
  }

  /** Runs `deliver` when the frame is through. @param mayMangle whether it may come twice or out of order */
  carry(socket: SimSocket, way: Way, deliver: () => void, mayMangle: boolean): void {
    const { cuts, doubles, reorders, delayMs } = this.weather;
    const { random } = this;
    if (socket.isZombie) return;
    if (this.swallows(way)) return void socket.held[way].push(deliver);
    const isCut = random.chance(cuts);
    if (isCut && random.chance(0.5)) return socket.break();
    const soonest = this.loop.now + 1 + random.below(delayMs);
    const isLate = mayMangle && random.chance(reorders);
    const at = isLate ? soonest + random.below(5 * delayMs) : Math.max(soonest, socket.last[way]);
    if (!isLate) socket.last[way] = at;
    const times = mayMangle && random.chance(doubles) ? 2 : 1;
    for (let i = 0; i < times; i++) {
      this.loop.later(at + i * random.below(3 * delayMs) - this.loop.now, () => {
        if (socket.isZombie || socket.isBroken) return;
        if (this.swallows(way)) return void socket.held[way].push(deliver);
        deliver();
        if (isCut) socket.break();
      });
    }
  }

  /** For a call over HTTP: there and back. False when it doesn't get through. */
  async through(): Promise<boolean> {
    const { loop, random, weather } = this;
    if (this.state === "down") return false;
    // Whoever hangs is called off by its own time limit.
    if (this.state !== "up" && this.state !== "portal") await loop.sleep(120_000);
    await loop.sleep(1 + random.below(weather.delayMs));
    return !random.chance(weather.cuts) && (this.state === "up" || this.state === "portal");
  }
}
