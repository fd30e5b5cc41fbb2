// The owner at a desk of her own, over HTTP and without faults: what the run needs done to others.
import type { DeviceId } from "#protocol/ids.ts";
import type { UserId } from "#protocol/ids.ts";
import type { SimRoom } from "./rooms.ts";
import type { World } from "./world.ts";

export class Elsewhere {
  readonly #world: World;
  readonly #user: UserId;
  readonly #numbers = new Map<string, { device: DeviceId; n: number }>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(world: World, user: UserId) {
    this.#world = world;
    this.#user = user;
  }

  /** One after the other; what fails is left. Answers how many were done. */
  op(room: SimRoom, op: string, args: object): Promise<number> {
    return this.ops(room, [{ op, args }]);
  }

  ops(room: SimRoom, list: readonly { readonly op: string; readonly args: object }[]): Promise<number> {
    const done = this.#turn.then(() => this.#send(room, list)).catch(() => 0);
    this.#turn = done;
    return done;
  }

  async #send(room: SimRoom, list: readonly { readonly op: string; readonly args: object }[]): Promise<number> {
    const { rooms, loop, newId, edge } = this.#world;
    const perms = await edge.perms(this.#user, room.ref);
    if (perms === null || perms.length === 0) return 0;
    const token = await rooms.token(this.#user, { [room.name]: perms }, 600, "s-elsewhere");
    const known = this.#numbers.get(room.name) ?? { device: newId() as DeviceId, n: 0 };
    this.#numbers.set(room.name, known);
    const ops = list.map(({ op, args }, i) => ({ n: known.n + 1 + i, id: newId(), op, args, at: loop.now, t: "op" }));
    const asked = room.http("POST", "ops", token, { device: known.device, ops });
    const reply = await Promise.race([asked, loop.sleep(20_000)]);
    const { lastN } = (reply?.status === 200 ? reply.body : {}) as { lastN?: number };
    // Where it isn't known what became of it, a new device begins.
    if (lastN === undefined) this.#numbers.delete(room.name);
    else this.#numbers.set(room.name, { ...known, n: lastN });
    return lastN === undefined ? 0 : lastN - known.n;
  }
}
