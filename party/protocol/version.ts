// The version of the wire. Frames, entities and ops are fingerprinted in version.test.ts:
// a change of shape without a bump here fails there.

/** The version this build speaks, sent in `hello`. */
export const PROTOCOL_VERSION = 1;

/** The oldest version a room still serves; a `hello` below it is closed with 4426. There is only one so far. */
export const OLDEST_SERVED_VERSION = 1;

/** One line a version, newest first. */
export const PROTOCOL_HISTORY: readonly (readonly [version: number, what: string])[] = [
  [1, "Rooms for workspaces and channels: messages, reactions, channels, members, read positions, drafts."],
];
