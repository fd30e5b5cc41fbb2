// A tab's search worker as the page holds it: started by the first question, ended when nobody asks for a while. One
// question at a time; of those that wait only the last is asked, for the others were typed over.
import { cell } from "../../store/source.ts";
import type { Commit, Store } from "../../store/store.ts";
import type { View } from "../../store/view.ts";
import type { Ports } from "../ports.ts";
import type { Answer, FromWorker, ToWorker, WorkerStatus } from "./asked.ts";
import type { Asked } from "./search-index.ts";

/** A worker of ours. */
export interface SearchPort {
  readonly send: (message: ToWorker) => void;
  /** `null`: it broke. */
  readonly listen: (listener: (message: FromWorker | null) => void) => void;
  readonly end: () => void;
}

export interface LinkStatus extends Omit<WorkerStatus, "state"> {
  readonly state: WorkerStatus["state"] | "unavailable";
}

export interface WorkerLink {
  readonly status: View<LinkStatus>;
  /** Null where a later question took its place, or the worker can't be had. */
  readonly ask: (rooms: string, asked: Asked | null) => Promise<Answer | null>;
  /** Reads again what may have been missed, where it runs. */
  readonly recheck: () => void;
  readonly close: () => void;
}

export interface LinkDeps {
  readonly ports: Ports;
  readonly store: Store;
  /** The person's database. */
  readonly name: string;
}

/** Nobody looks and nobody asks: the worker's memory is given back. */
const IDLE_MS = 5 * 60_000;
/** Handed over at once where the browser keeps nothing. */
const FEED = 500;

interface Waiting {
  readonly rooms: string;
  readonly asked: Asked | null;
  readonly answer: (answer: Answer | null) => void;
}

const OPENING: LinkStatus = { state: "opening", todo: 0, version: 0 };

export function openWorkerLink({ ports, store, name }: LinkDeps): WorkerLink {
  const status = cell<LinkStatus>(OPENING);
  let worker: Promise<SearchPort> | null = null;
  let stopFeeding: (() => void) | null = null;
  let asking: (Waiting & { readonly id: number }) | null = null;
  let next: Waiting | null = null;
  let lastId = 0;
  let listenerCount = 0;
  let idle: unknown = null;

  const end = (state: LinkStatus["state"]): void => {
    const ended = worker;
    worker = null;
    stopFeeding?.();
    stopFeeding = null;
    void ended?.then((port) => port.end()).catch(() => undefined);
    for (const waiting of [asking, next]) waiting?.answer(null);
    asking = next = null;
    ports.timers.clear(idle);
    status.set({ ...status.snapshot(), state, todo: 0 });
  };

  const rest = (): void => {
    ports.timers.clear(idle);
    if (worker !== null && listenerCount === 0) idle = ports.timers.set(() => end("opening"), IDLE_MS);
  };

  const start = (): Promise<SearchPort> => {
    const { openSearchWorker } = ports;
    if (openSearchWorker === undefined) return Promise.reject(new Error("no workers here"));
    status.set({ ...status.snapshot(), state: "opening" });
    return openSearchWorker().then((port) => {
      port.listen(hear);
      port.send({ type: "open", name, isFed: store.kind === "memory" });
      if (store.kind === "memory") feed(port);
      return port;
    });
  };

  const feed = (port: SearchPort): void => {
    let early: Commit[] | null = [];
    stopFeeding = store.listen((commit) => {
      if (early === null) port.send({ type: "commit", commit });
      else early.push(commit);
    });
    const read = store.read(["rooms", "messages"], async (tx) => [
      ...(await tx.all("messages")).map((put) => ({ table: "messages", put }) as const),
      ...(await tx.all("rooms")).map((put) => ({ table: "rooms", put }) as const),
    ]);
    read
      .then((held) => {
        for (let at = 0; at < held.length; at += FEED) port.send({ type: "commit", commit: held.slice(at, at + FEED) });
        for (const commit of early ?? []) port.send({ type: "commit", commit });
        early = null;
      })
      .catch(ports.report);
  };

  const hear = (message: FromWorker | null): void => {
    if (message === null || message.type === "gone") return end("unavailable");
    if (message.type === "status") return status.set(message.status);
    if (asking?.id !== message.id) return;
    const { answer } = asking;
    asking = null;
    answer(message.type === "answer" ? message.answer : null);
    pass();
  };

  const pass = (): void => {
    if (asking !== null || next === null) return;
    const { rooms, asked } = next;
    asking = { ...next, id: ++lastId };
    next = null;
    const { id } = asking;
    worker ??= start();
    worker.then(
      (port) => port.send({ type: "ask", id, rooms, asked }),
      () => end("unavailable"),
    );
  };

  return {
    status: {
      snapshot: status.snapshot,
      subscribe: (listener) => {
        listenerCount += 1;
        rest();
        const stop = status.subscribe(listener);
        return () => {
          stop();
          listenerCount -= 1;
          rest();
        };
      },
    },
    ask: (rooms, asked) =>
      new Promise((answer) => {
        next?.answer(null);
        next = { rooms, asked, answer };
        pass();
        rest();
      }),
    recheck: () => void worker?.then((port) => port.send({ type: "recheck" })).catch(() => undefined),
    close: () => end("opening"),
  };
}
