// How patient a client's links are. Apart from the other limits (limits.ts), which the first screen needs, and these not.

/** Whatever makes it try, a client opens a room's socket no more than once in so long (section 3). */
export const CONNECT_EVERY_MS = 1_000;
/** A misconfigured authorisation endpoint is asked again so often ([AU6]). */
export const MISCONFIGURED_RETRY_MS = 60_000;
export const TYPING_SHOWN_MS = 5_000;
