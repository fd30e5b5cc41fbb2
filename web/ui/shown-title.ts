// The title of the screen that is shown, for who names the tab; undefined where a channel is, or none. One at a time.

let title: string | undefined;
const listeners = new Set<() => void>();

function become(next: string | undefined): void {
  title = next;
  for (const listener of listeners) listener();
}

export const shownTitle = {
  snapshot: (): string | undefined => title,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Answers the function that ends it. */
export function showTitle(shown: string): () => void {
  become(shown);
  return () => become(undefined);
}
