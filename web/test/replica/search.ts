// The search's worker for the model of a replica: it ends, is stored and begins anew at any time.
import type { RoomName } from "#protocol/room-name.ts";
import type { Store } from "../../store/store.ts";
import { has } from "../../sync/search/bits.ts";
import type { Coverage } from "../../sync/search/coverage.ts";
import { createIndexer, type Indexer } from "../../sync/search/indexer.ts";
import { readerOver, type Reader } from "../../sync/search/reader.ts";
import { SearchIndex, type Part } from "../../sync/search/search-index.ts";

interface Kept {
  readonly parts: readonly Part[];
  readonly covered: ReadonlyMap<RoomName, Coverage>;
}

interface Worker {
  readonly index: SearchIndex;
  readonly covered: Map<RoomName, Coverage>;
  readonly indexer: Indexer;
  /** Resolves when all is read that was there at its start. */
  readonly reading: Promise<void>;
}

export class ModelSearch {
  readonly #reader: Reader;
  #worker: Worker | null = null;
  #kept: Kept = { parts: [], covered: new Map() };

  constructor(store: Store) {
    this.#reader = readerOver({ read: store.read, close: () => undefined });
    store.listen((commit) => this.#worker?.indexer.hear(commit));
  }

  /** Resolves when what it lacked at its start is read. */
  start(): Promise<void> {
    this.#worker ??= this.#begun();
    return this.#worker.reading;
  }

  end(): void {
    this.#worker = null;
  }

  keep(): void {
    if (this.#worker === null) return;
    const { index, covered } = this.#worker;
    this.#kept = { parts: apart(index.parts()), covered: new Map(covered) };
  }

  /** What counts in the index once it has caught up, as `seq@rev`; null where no worker runs. */
  async found(): Promise<string[] | null> {
    if (this.#worker === null) return null;
    const { index, indexer } = this.#worker;
    await indexer.catchUp();
    return index.parts().flatMap(({ segment, alive }) =>
      Array.from({ length: segment.count }, (_, doc) => doc)
        .filter((doc) => has(alive, doc))
        .map((doc) => `${segment.seq[doc]}@${segment.rev[doc]}`),
    );
  }

  #begun(): Worker {
    const index = new SearchIndex(apart(this.#kept.parts));
    const covered = new Map(this.#kept.covered);
    const indexer = createIndexer({ reader: this.#reader, index, covered, changed: () => undefined });
    return { index, covered, indexer, reading: indexer.catchUp() };
  }
}

/** What counts in a segment goes on changing where the worker runs, not in what was stored of it. */
function apart(parts: readonly Part[]): Part[] {
  return parts.map((part) => ({ ...part, alive: part.alive.slice() }));
}
