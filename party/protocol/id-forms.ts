// What ids look like.
import { ID_MAX_CHARS } from "./limits.ts";

/** Without `_`, which joins workspace and channel in a room's id, and `.`, which joins ids of entities. */
export const PLAIN_ID = /^[A-Za-z0-9-]+$/;
/** A foreign issuer's user id is base64url ([AU13]), so `_` is allowed here. */
export const USER_ID = /^[A-Za-z0-9_-]+$/;

/** As the schemas of ids.ts judge. */
export function isPlainId(text: string): boolean {
  return text.length <= ID_MAX_CHARS && PLAIN_ID.test(text);
}
