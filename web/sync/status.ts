// What the leader tells all tabs about the network, and how the pill reads it. Pure.
import type { Present } from "#protocol/frames/welcome.ts";
import type { UserId, WorkspaceId } from "#protocol/ids.ts";
import type { RoomName } from "#protocol/room-name.ts";
import type { ConnectionSnapshot, RoomStatus } from "../store/snapshots.ts";
import type { Link } from "./link.ts";

export interface WorkspaceStatus {
  readonly workspace: WorkspaceId;
  readonly connection: ConnectionSnapshot;
  readonly rooms: readonly LinkStatus[];
  /** Rooms whose ops are leaving. */
  readonly flowing: readonly RoomName[];
  /** Epoch ms of the last time all was up to date. */
  readonly liveAt: number | null;
}

export interface LinkStatus {
  readonly room: RoomName;
  readonly link: RoomStatus["link"];
  readonly detail?: string;
}

export interface RoomPresence {
  readonly room: RoomName;
  readonly present: readonly Present[];
  readonly typing: readonly UserId[];
}

/** Tries that fail before the pill says offline rather than reconnecting. */
const OFFLINE_AFTER_TRIES = 2;

/** How the link to the workspace's room, and those beside it, read as one. */
export function connectionOf(
  directory: Link,
  rooms: readonly { readonly isWanted: boolean; readonly isCaughtUp: boolean }[],
  wasLive: boolean,
  isOnline: boolean,
): ConnectionSnapshot {
  const { state } = directory;
  switch (state.name) {
    case "off":
      return { state: "connecting" };
    case "authorizing":
    case "opening":
    case "greeting":
      if (!isOnline || state.attempt >= OFFLINE_AFTER_TRIES) return { state: "offline", retryAt: null };
      return { state: "connecting" };
    case "live": {
      const wanted = rooms.filter(({ isWanted }) => isWanted);
      const done = wanted.filter(({ isCaughtUp }) => isCaughtUp).length;
      return done === wanted.length ? { state: "live" } : { state: "catching-up", done, total: wanted.length };
    }
    case "waiting": {
      if (state.why === "misconfigured") return { state: "misconfigured", detail: state.detail ?? "" };
      const isOffline = !isOnline || state.attempt >= OFFLINE_AFTER_TRIES || !wasLive;
      return { state: isOffline ? "offline" : "reconnecting", retryAt: state.until };
    }
    case "signed-out":
      return { state: "signed-out" };
    case "refused":
      return { state: "misconfigured", detail: state.detail };
  }
}

export function linkStatusOf(room: RoomName, { state }: Link, isCaughtUp: boolean): LinkStatus {
  switch (state.name) {
    case "off":
      return { room, link: "none" };
    case "authorizing":
    case "opening":
    case "greeting":
      return { room, link: "connecting" };
    case "live":
      return { room, link: isCaughtUp ? "live" : "catching-up" };
    case "waiting":
      return { room, link: "waiting", ...(state.detail === undefined ? {} : { detail: state.detail }) };
    case "signed-out":
      return { room, link: "waiting", detail: "Waiting for you to sign in again." };
    case "refused":
      return { room, link: "refused", detail: state.detail };
  }
}
