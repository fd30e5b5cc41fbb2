/** What comes with code of its own: loaded by the first who needs it, and kept. Where it can't be had, the next one tries again. */
export function loadedOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null;
  return () => {
    loading ??= load();
    return loading.catch((error: unknown) => {
      loading = null;
      throw error;
    });
  };
}
