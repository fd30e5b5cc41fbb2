// What the interface reads: one view per question, made for useSyncExternalStore.

export interface View<Snapshot> {
  /** Answers the function that ends it. While nobody listens a view may let go of what it holds. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Immutable, and the identical object until something in it changed. */
  readonly snapshot: () => Snapshot;
}

/** A view of what lies in the database: `loading` until the first read, which needs no network. */
export type Loaded<Value> = { readonly state: "loading" } | { readonly state: "ready"; readonly value: Value };
