// Stamps the read positions that posts moved: many at once, half a minute later, as a step of the room's own work.
import { BUMP_LAZY_MS } from "#protocol/limits.ts";
import type { Memory, Room } from "../engine/room.ts";
import type { HeadBook } from "./heads.ts";
import type { WorkspaceOwn } from "./state.ts";

/** Before the promised half minute. */
const AFTER_MS = BUMP_LAZY_MS - 5_000;

export class Mover {
  readonly #room: () => Room<WorkspaceOwn>;
  readonly #bookOf: (memory: Memory<WorkspaceOwn>) => HeadBook;
  #isDue = false;

  constructor(room: () => Room<WorkspaceOwn>, bookOf: (memory: Memory<WorkspaceOwn>) => HeadBook) {
    this.#room = room;
    this.#bookOf = bookOf;
  }

  soon(book: HeadBook): void {
    if (this.#isDue || !book.hasMoves) return;
    this.#isDue = true;
    this.#room().host.later(AFTER_MS, async () => {
      this.#isDue = false;
      await this.now();
    });
  }

  async now(): Promise<void> {
    await this.#room().alone(async (memory) => {
      const book = this.#bookOf(memory);
      const { reads, settled } = await book.due(this.#room().host.storage);
      if (reads.length > 0) await this.#room().commit(memory, { entities: reads });
      for (const [channel, user] of settled) book.settled(channel, user);
      this.#room().broadcast.soon(memory);
      this.soon(book);
    });
  }
}
