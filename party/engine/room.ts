// One room: its memory, rebuilt from storage whenever needed, and the one way to change it. Everything runs alone
// ([RV7]); memory follows a write that succeeded; a write that failed drops all memory, so that what storage holds is
// what counts.
import type { Entity } from "#protocol/entities/entity.ts";
import { parseRoom, type Party, type RoomRef } from "#protocol/room-name.ts";
import { faultOf } from "./config-error.ts";
import { Broadcast } from "./broadcast.ts";
import type { Host } from "./host.ts";
import { entityRow, keyOf } from "./keys.ts";
import type { Change, Kind } from "./kind.ts";
import { append, STEM_KEY, type Stem } from "./log.ts";
import { Queue } from "./queue.ts";
import { Rates } from "./rate.ts";
import { Wake } from "./wake.ts";

/** What can be rebuilt from storage, and is after hibernation or a failed write. */
export interface Memory<Own> {
  stem: Stem<Own>;
  readonly kind: Kind<Own>;
  readonly ref: RoomRef;
}

const OWED_AFTER_START_MS = 1_000;

/** Makes a kind of room from its stem; reads what it needs. */
export type MakeKind<Own> = (room: Room<Own>, ref: RoomRef, own: Own | null) => Promise<Kind<Own>>;

export class Room<Own> {
  readonly host: Host;
  readonly party: Party;
  readonly broadcast: Broadcast<Own>;
  readonly wake: Wake;
  readonly rates = new Rates();
  readonly #makeKind: MakeKind<Own>;
  readonly #queue = new Queue();
  #memory: Memory<Own> | null = null;

  constructor(host: Host, party: Party, makeKind: MakeKind<Own>) {
    this.host = host;
    this.party = party;
    this.#makeKind = makeKind;
    this.broadcast = new Broadcast(this);
    this.wake = new Wake(host);
  }

  /** Runs `task` with nothing else beside it. Whatever it throws drops the memory. */
  alone<T>(task: (memory: Memory<Own>) => Promise<T>): Promise<T> {
    return this.#queue.run(async () => {
      try {
        return await task((this.#memory ??= await this.#load()));
      } catch (error) {
        this.#memory = null;
        throw error;
      }
    });
  }

  /** The alarm rang. Sets the next one first, if anything is owed, and never throws. */
  async rang(): Promise<void> {
    this.wake.rang();
    try {
      const kind = await this.alone(async (memory) => memory.kind);
      if (!kind.owes) return;
      await this.wake.toRetry();
      await kind.settleNow();
    } catch (error) {
      this.host.log("alarm", { error: faultOf(error) });
      await this.wake.toRetry();
    }
  }

  /** Only inside `alone`. Stamps, writes at once, then changes memory; answers what it stamped, as stored. */
  async commit(memory: Memory<Own>, change: Change<Own>): Promise<{ rev: number; entities: readonly Entity[] } | null> {
    const { stem: before, kind } = memory;
    const own = change.own ?? kind.own;
    const isStep = change.entities.length > 0;
    const { stem, rows } = isStep
      ? append(
          before,
          change.entities.map((made) => keyOf(made)),
        )
      : { stem: before, rows: {} };
    const entities = change.entities.map((made) => ({ ...made, rev: stem.head }));
    const puts: Record<string, unknown> = { ...change.rows, ...rows };
    for (const entity of entities) puts[entityRow(keyOf(entity))] = entity;
    const after = { ...stem, own };
    if (change.owes) await this.wake.asNet();
    if (isStep || change.own !== undefined) puts[STEM_KEY] = after;
    await this.host.storage.commit(puts, change.deletes);
    memory.stem = after;
    kind.own = own;
    change.after?.(entities);
    if (!isStep) return null;
    this.broadcast.add(stem.head, entities);
    return { rev: stem.head, entities };
  }

  /** Only inside `alone`, after a step was answered: enforces it, shows it, and sends what it made this room owe. */
  finish(memory: Memory<Own>): void {
    memory.kind.enforce();
    this.broadcast.soon(memory);
    memory.kind.settle();
  }

  /** Nothing is enforced: that was done with what it is owed for, or is when somebody comes. */
  #takeUp(memory: Memory<Own>): void {
    memory.kind.settle();
    this.broadcast.soon(memory);
  }

  async #load(): Promise<Memory<Own>> {
    const rows = await this.host.storage.get([STEM_KEY]);
    const stored = rows.get(STEM_KEY) as Stem<Own> | undefined;
    const id = stored?.room ?? this.host.id;
    const ref = id === null ? null : parseRoom(this.party, id);
    if (id === null || ref === null) throw new Error("A room without an id");
    const kind = await this.#makeKind(this, ref, stored?.own ?? null);
    const stem = stored ?? { room: id, epoch: this.host.randomId(), head: 0, tail: [], own: kind.own };
    this.broadcast.loaded(stem.head);
    // What was owed when the room last went is tried again, unless something sends it sooner ([SV1]); so is what was on its
    // way to who listens when a read or a write failed ([SY1]).
    if (stored) this.host.later(OWED_AFTER_START_MS, () => this.alone(async (memory) => this.#takeUp(memory)));
    return { stem, kind, ref };
  }
}
