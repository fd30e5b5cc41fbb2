// How far the outbox has come, whatever became of what was in it: places are given once.
import type { OutboxRecord } from "./schema.ts";
import type { Store } from "./store.ts";

class Place extends Error {
  override readonly name = "Place";
  readonly place: number;

  constructor(place: number) {
    super("taken back");
    this.place = place;
  }
}

/** The place that the next op will have. Only giving one tells: it is taken back, and nobody hears of it. */
export async function nextPlace(store: Pick<Store, "write">): Promise<number> {
  try {
    return await store.write({ tables: ["outbox"], durability: "relaxed" }, async (tx) => {
      throw new Place(await tx.add("outbox", {} as Omit<OutboxRecord, "place">));
    });
  } catch (error) {
    if (error instanceof Place) return error.place;
    throw error;
  }
}
