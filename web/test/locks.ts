// The part of the Web Locks API that tabs use, for tabs that are objects: waiting, stealing, calling off, asking, and a
// tab's end. A lock to be shared is given to one after the other, since nobody here keeps one.

interface Waiting {
  readonly tab: object;
  readonly run: (lock: Lock) => unknown;
  readonly settle: { readonly resolve: (value: unknown) => void; readonly reject: (error: unknown) => void };
}

interface Held extends Waiting {
  isOver: boolean;
}

export interface TabLocks {
  readonly locks: LockManager;
  readonly close: () => void;
}

export function createLocks(): { readonly openTab: () => TabLocks } {
  const held = new Map<string, Held>();
  const queues = new Map<string, Waiting[]>();

  const grant = (name: string, request: Waiting): void => {
    const mine: Held = { ...request, isOver: false };
    held.set(name, mine);
    const free = (): void => {
      if (held.get(name) !== mine) return;
      held.delete(name);
      const next = queues.get(name)?.shift();
      if (next !== undefined) grant(name, next);
    };
    void Promise.resolve()
      .then(() => request.run({ name, mode: "exclusive" }))
      .then(
        (value) => {
          if (!mine.isOver) request.settle.resolve(value);
          free();
        },
        (error: unknown) => {
          if (!mine.isOver) request.settle.reject(error);
          free();
        },
      );
  };

  const openTab = (): TabLocks => {
    const tab = {};
    type Run = (lock: Lock | null) => unknown;
    const request = (name: string, ...more: [run: Run] | [options: LockOptions, run: Run]): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const [options, run] = more.length === 1 ? [{}, more[0]] : more;
        const queue = queues.get(name) ?? [];
        queues.set(name, queue);
        const waiting: Waiting = { tab, run, settle: { resolve, reject } };
        const before = held.get(name);
        if (options.steal === true && before !== undefined) {
          before.isOver = true;
          before.settle.reject(new DOMException("stolen", "AbortError"));
          held.delete(name);
        }
        if (!held.has(name)) return grant(name, waiting);
        if (options.ifAvailable === true) return resolve(run(null));
        queue.push(waiting);
        options.signal?.addEventListener("abort", () => {
          const at = queue.indexOf(waiting);
          if (at < 0) return;
          queue.splice(at, 1);
          reject(new DOMException("called off", "AbortError"));
        });
      });
    return {
      locks: { request, query: () => Promise.resolve({ held: [], pending: [] }) } as LockManager,
      close: () => {
        for (const queue of queues.values()) {
          for (let i = queue.length - 1; i >= 0; i--) if (queue[i]?.tab === tab) queue.splice(i, 1);
        }
        for (const [name, mine] of held) {
          if (mine.tab !== tab) continue;
          mine.isOver = true;
          held.delete(name);
          const next = queues.get(name)?.shift();
          if (next !== undefined) grant(name, next);
        }
      },
    };
  };
  return { openTab };
}
