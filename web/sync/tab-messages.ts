// What tabs of one person say to one another, besides commits. The leader hears its own tab's words the same way.
import type { ChannelId, WorkspaceId } from "#protocol/ids.ts";
import type { RoomName } from "#protocol/room-name.ts";
import type { Note } from "./journal.ts";
import type { Place } from "./room-pages.ts";
import type { RoomPresence, WorkspaceStatus } from "./status.ts";

export type TabMessage =
  /** Is anybody leading? */
  | { readonly type: "ping"; readonly tab: string }
  | { readonly type: "pong"; readonly tab: string }
  /** What is on a tab's screen; from every tab, also when asked by `who`. */
  | {
      readonly type: "look";
      readonly tab: string;
      readonly workspace: WorkspaceId;
      readonly channel: ChannelId | null;
      readonly isVisible: boolean;
    }
  /** A new leader, or one that found what nobody told of: all tabs say what they look at, and read anew what they show. */
  | { readonly type: "who" }
  | { readonly type: "bye"; readonly tab: string }
  | { readonly type: "nudge" }
  /** From a tab that is looked at, now and then: the timers of one that isn't may be a minute late. */
  | { readonly type: "tick" }
  /** A line for the event log, which the leader keeps. */
  | { readonly type: "note"; readonly note: Note }
  /** Somebody scrolls, types or presses something: the background keeps still. */
  | { readonly type: "busy" }
  /** Fill now, whatever the line costs. */
  | { readonly type: "fill-now" }
  | { readonly type: "signed-in" }
  | { readonly type: "typing"; readonly room: RoomName }
  | { readonly type: "history"; readonly ask: string; readonly room: RoomName; readonly place: Place }
  | { readonly type: "history-answer"; readonly ask: string; readonly isStored: boolean }
  | { readonly type: "status"; readonly status: WorkspaceStatus }
  | { readonly type: "presence"; readonly presence: RoomPresence }
  /** The person was signed out here: close the database, leave. */
  | { readonly type: "forgotten" };

/** Only our own tabs send on this bus; a build beside this one may say what this one doesn't know. */
export function isTabMessage(message: unknown): message is TabMessage {
  return typeof message === "object" && message !== null && "type" in message;
}
