// Who is in a workspace's rooms and who is writing, as the rooms tell the tab that leads. Kept in memory alone.
import type { Signal } from "#protocol/frames/signal.ts";
import type { Present } from "#protocol/frames/welcome.ts";
import type { UserId } from "#protocol/ids.ts";
import { TYPING_SHOWN_MS } from "#protocol/link-limits.ts";
import type { RoomName } from "#protocol/room-name.ts";
import type { Store } from "../store/store.ts";
import type { Ports } from "./ports.ts";
import type { RoomPresence } from "./status.ts";

export interface PresenceKeeper {
  readonly here: (room: RoomName, list: readonly Present[]) => void;
  readonly signalled: (room: RoomName, signal: Signal) => void;
  /** All rooms again, for a tab that just came. */
  readonly tellAll: () => void;
  readonly close: () => void;
}

interface People {
  present: Map<UserId, Present["state"]>;
  /** Person → the timer that takes the mark away. */
  readonly typing: Map<UserId, unknown>;
}

export function keepPresence(
  store: Store,
  { timers }: Pick<Ports, "timers">,
  me: UserId,
  told: (presence: RoomPresence) => void,
): PresenceKeeper {
  const rooms = new Map<RoomName, People>();

  const peopleIn = (room: RoomName): People => {
    const known = rooms.get(room) ?? { present: new Map(), typing: new Map() };
    rooms.set(room, known);
    return known;
  };

  const tell = (room: RoomName): void => {
    const { present, typing } = peopleIn(room);
    const list = [...present].map(([user, state]) => ({ user, state }));
    told({ room, present: list, typing: [...typing.keys()] });
  };

  const startTyping = (room: RoomName, from: UserId): void => {
    const { typing } = peopleIn(room);
    timers.clear(typing.get(from));
    const stop = timers.set(() => {
      typing.delete(from);
      tell(room);
    }, TYPING_SHOWN_MS);
    typing.set(from, stop);
  };

  /** Whose message has come isn't typing it any more. */
  const stopTyping = store.listen((commit) => {
    for (const change of commit) {
      if (change.table !== "messages" || !("put" in change)) continue;
      const { room, message } = change.put;
      const typing = rooms.get(room)?.typing;
      if (typing === undefined || !typing.has(message.author)) continue;
      timers.clear(typing.get(message.author));
      typing.delete(message.author);
      tell(room);
    }
  });

  return {
    here: (room, list) => {
      peopleIn(room).present = new Map(list.map(({ user, state }) => [user, state]));
      tell(room);
    },
    signalled: (room, signal) => {
      const { present } = peopleIn(room);
      if (signal.kind === "presence") {
        if (signal.state === "gone") present.delete(signal.from);
        else present.set(signal.from, signal.state);
      } else if (signal.kind === "typing" && signal.from !== me) {
        startTyping(room, signal.from);
      }
      tell(room);
    },
    tellAll: () => {
      for (const room of rooms.keys()) tell(room);
    },
    close: stopTyping,
  };
}
