// What the leader tells all tabs about the network. Pure.
import type { Present } from "#protocol/frames/welcome.ts";
import type { UserId, WorkspaceId } from "#protocol/ids.ts";
import type { RoomName } from "#protocol/room-name.ts";
import type { ConnectionSnapshot, RoomStatus } from "../store/snapshots.ts";
import type { FillStatus } from "../store/readiness.ts";
import type { Link } from "./link-state.ts";

export interface WorkspaceStatus {
  readonly workspace: WorkspaceId;
  readonly connection: ConnectionSnapshot;
  readonly rooms: readonly LinkStatus[];
  /** Rooms whose ops are leaving. */
  readonly flowing: readonly RoomName[];
  /** Epoch ms of the last time all was up to date. */
  readonly liveAt: number | null;
  readonly fill: FillStatus;
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
