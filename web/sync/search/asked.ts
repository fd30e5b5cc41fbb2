// What a page and its search worker say to each other. Both are of one build.
import type { Message } from "#protocol/entities/message.ts";
import type { RoomName } from "#protocol/room-name.ts";
import type { Commit } from "../../store/store.ts";
import type { Asked } from "./search-index.ts";

export interface Hit {
  readonly room: RoomName;
  readonly message: Extract<Message, { readonly text: string }>;
}

export interface Extent {
  /** Messages searched. */
  readonly count: number;
  /** Epoch ms of the oldest; null where there is none. */
  readonly oldestAt: number | null;
}

export interface Answer {
  readonly total: number;
  readonly hits: readonly Hit[];
  readonly extent: Extent;
}

/** What the worker is at. `todo`: messages on this device that it hasn't read yet. */
export interface WorkerStatus {
  readonly state: "opening" | "ready";
  readonly todo: number;
  /** Raised when the same question may have another answer. */
  readonly version: number;
}

export type ToWorker =
  /** `isFed`: this browser keeps nothing, so what is in the page's memory is handed over by `commit`. */
  | { readonly type: "open"; readonly name: string; readonly isFed: boolean }
  /** Without `asked` only the extent is told. `rooms`: how the names of those to be searched begin. */
  | { readonly type: "ask"; readonly id: number; readonly rooms: string; readonly asked: Asked | null }
  | { readonly type: "commit"; readonly commit: Commit }
  /** Commits may have been missed. */
  | { readonly type: "recheck" };

export type FromWorker =
  | { readonly type: "status"; readonly status: WorkerStatus }
  | { readonly type: "answer"; readonly id: number; readonly answer: Answer }
  | { readonly type: "failed"; readonly id: number }
  /** It has nothing to read from any more. */
  | { readonly type: "gone" };

/** How the names of the channel rooms of a workspace begin. */
export function roomsOf(workspace: string): string {
  return `channel:${workspace}_`;
}
