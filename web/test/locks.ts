// The part of the Web Locks API that tabs use, for tabs that are objects: waiting, sharing, stealing, calling off, asking,
// and a tab's end.

interface Waiting {
  readonly tab: object;
  readonly isShared: boolean;
  readonly run: (lock: Lock) => unknown;
  readonly settle: { readonly resolve: (value: unknown) => void; readonly reject: (error: unknown) => void };
}

interface Held extends Waiting {
  isOver: boolean;
}

export interface TabLocks {
  readonly locks: LockManager;
  /** Of those whose names begin so. */
  readonly letGo: (prefix: string) => void;
  readonly close: () => void;
}

export function createLocks(): { readonly openTab: () => TabLocks } {
  /** By name: one, or several that share it. */
  const held = new Map<string, Held[]>();
  const queues = new Map<string, Waiting[]>();

  const holders = (name: string): readonly Held[] => held.get(name) ?? [];
  const isFree = (name: string, { isShared }: Waiting): boolean =>
    holders(name).length === 0 || (isShared && holders(name).every((each) => each.isShared));

  const release = (name: string, mine: Held): void => {
    held.set(
      name,
      holders(name).filter((each) => each !== mine),
    );
    advance(name);
  };

  const advance = (name: string): void => {
    const queue = queues.get(name) ?? [];
    while (queue[0] !== undefined && isFree(name, queue[0])) grant(name, queue.shift()!);
  };

  const grant = (name: string, request: Waiting): void => {
    const mine: Held = { ...request, isOver: false };
    held.set(name, [...holders(name), mine]);
    const end = (settle: (outcome: never) => void, outcome: unknown): void => {
      if (mine.isOver) return;
      settle(outcome as never);
      release(name, mine);
    };
    void Promise.resolve()
      .then(() => request.run({ name, mode: modeOf(request) }))
      .then(
        (value) => end(request.settle.resolve, value),
        (error: unknown) => end(request.settle.reject, error),
      );
  };

  const modeOf = ({ isShared }: Waiting): LockMode => (isShared ? "shared" : "exclusive");

  const query = async (): Promise<LockManagerSnapshot> => ({
    held: [...held].flatMap(([name, each]) => each.map((one) => ({ name, mode: modeOf(one) }))),
    pending: [...queues].flatMap(([name, each]) => each.map((one) => ({ name, mode: modeOf(one) }))),
  });

  const openTab = (): TabLocks => {
    const tab = {};
    let isClosed = false;
    type Run = (lock: Lock | null) => unknown;
    const request = (name: string, ...more: [run: Run] | [options: LockOptions, run: Run]): Promise<unknown> =>
      new Promise((resolve, reject) => {
        // What a tab that has ended still asks for comes to nothing.
        if (isClosed) return;
        const [options, run] = more.length === 1 ? [{}, more[0]] : more;
        const queue = queues.get(name) ?? [];
        queues.set(name, queue);
        const waiting: Waiting = { tab, isShared: options.mode === "shared", run, settle: { resolve, reject } };
        if (options.steal === true) {
          for (const before of holders(name)) {
            before.isOver = true;
            before.settle.reject(new DOMException("stolen", "AbortError"));
          }
          held.delete(name);
        }
        if (options.steal === true || (queue.length === 0 && isFree(name, waiting))) return grant(name, waiting);
        if (options.ifAvailable === true) return resolve(run(null));
        queue.push(waiting);
        options.signal?.addEventListener("abort", () => {
          const at = queue.indexOf(waiting);
          if (at < 0) return;
          queue.splice(at, 1);
          reject(new DOMException("called off", "AbortError"));
          advance(name);
        });
      });
    const letGo = (prefix: string): void => {
      for (const name of [...held.keys()].filter((each) => each.startsWith(prefix))) {
        for (const mine of holders(name).filter((each) => each.tab === tab)) {
          mine.isOver = true;
          release(name, mine);
        }
      }
    };
    return {
      locks: { request, query } as LockManager,
      letGo,
      close: () => {
        isClosed = true;
        for (const queue of queues.values()) {
          for (let i = queue.length - 1; i >= 0; i--) if (queue[i]?.tab === tab) queue.splice(i, 1);
        }
        letGo("");
      },
    };
  };
  return { openTab };
}
