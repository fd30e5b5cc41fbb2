// The version of the wire. Frames, entities and ops are fingerprinted in version.test.ts:
// a change of shape without a bump here fails there.

/** The version this build speaks, sent in `hello`. */
export const PROTOCOL_VERSION = 12;

/** The oldest version a room still serves; a `hello` below it is closed with 4426. */
export const OLDEST_SERVED_VERSION = 1;

/** One line a version, newest first. */
export const PROTOCOL_HISTORY: readonly (readonly [version: number, what: string])[] = [
  [
    12,
    "`draft` in message.post: a draft that two devices send is one message. `since` in a draft and in draft.set: what was written anew isn't emptied for what was sent before. A room of version 11 makes two of it.",
  ],
  [
    11,
    "`again` on an op: it may have been done under another number. `markRev` on a read position: a mark that it was read on from. A room of version 10 asks for neither.",
  ],
  [
    10,
    "`epoch` in the answer to ops over HTTP and in a room's bump: of which history it speaks. A room of version 9 doesn't say.",
  ],
  [
    9,
    "`setRev` on a read position: when its owner last set it, where the room moved it since. A room of version 8 doesn't say.",
  ],
  [
    8,
    "A restored channel: `restored` in heads and bumps, `epoch` in read.set. A room of version 7 tells and asks for neither.",
  ],
  [7, "`done` in the ack of a skip: whether the op had been done all the same. A room of version 6 doesn't say."],
  [6, "`over` in draft.set: drafts written apart are joined. A room of version 5 lets the later one win."],
  [5, "`bytes` in hello, pull and history: how large a page this line bears. A room of version 4 sends the largest."],
  [
    4,
    "Edits that met: `textRev` and `replaced` on a message, which a room of version 3 doesn't send; a status is bounded as a whole.",
  ],
  [3, "`epoch` and `floor` in a `history` over HTTP, so that a replica can begin without a socket."],
  [2, "Pins: message.pin, and `pinned` on a message. A room of version 1 refuses the op and sends no field."],
  [1, "Rooms for workspaces and channels: messages, reactions, channels, members, read positions, drafts."],
];
