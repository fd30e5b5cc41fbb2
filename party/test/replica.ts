// The least a client must do with frames ([SY1], [SY3]): a cursor, entities, and a pull where frames don't join up.
import type { Entity } from "#protocol/entities/entity.ts";
import type { DownFrame } from "#protocol/down.ts";
import { keyOf } from "../engine/keys.ts";

export class Replica {
  cursor: number | null = null;
  epoch: string | undefined;
  /** Set when a page said that more is to be pulled, or a frame didn't join. */
  pullFrom: number | null = null;
  readonly entities = new Map<string, Entity>();

  take(frame: DownFrame): void {
    if (frame.t === "welcome") this.epoch = frame.epoch;
    if (frame.t === "snapshot") {
      if (frame.reset) this.entities.clear();
      this.#store(frame.entities);
      this.cursor = frame.head;
    }
    if (frame.t === "changes") this.#changes(frame.from, frame.to, frame.entities, frame.more, frame.reset === true);
    if (frame.t === "ack") {
      if (frame.from === undefined || frame.rev === null) this.#store(frame.entities);
      else this.#changes(frame.from, frame.rev, frame.entities, false, false);
    }
  }

  #changes(from: number, to: number, entities: readonly Entity[], more: boolean, reset: boolean): void {
    if (reset && from === 0) this.entities.clear();
    const cursor = reset ? from : (this.cursor ?? 0);
    if (from > cursor) {
      this.pullFrom = cursor;
      return;
    }
    if (to > cursor) this.#store(entities);
    this.cursor = Math.max(cursor, to);
    this.pullFrom = more ? this.cursor : null;
  }

  #store(entities: readonly Entity[]): void {
    for (const entity of entities) {
      const before = this.entities.get(keyOf(entity));
      if (!before || before.rev < entity.rev) this.entities.set(keyOf(entity), entity);
    }
  }

  /** What it holds, in an order of its own. */
  get contents(): Entity[] {
    return [...this.entities.values()].toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }
}
