// The error catalogue: one row a code, for edge, rooms and browser. Behaviour follows `retry`, people read `text`,
// logs carry the code. Codes are never reused. docs/protocol.md shows the same table; errors.test.ts compares them.
import { HELLO_WITHIN_MS } from "./limits.ts";

/** What the app does next. `never`: nothing to do; `after-user-fix`: the person changes something first. */
export type Retry = "never" | "with-backoff" | "after-sign-in" | "after-update" | "after-user-fix";

/** Parameters a text may use; each row names its own. */
export interface ErrorParams {
  readonly field?: string;
  readonly rule?: string;
  readonly limit?: number;
  readonly actual?: number;
  readonly unit?: string;
  readonly channel?: string;
  readonly seconds?: number;
  readonly reference?: string;
}

interface ErrorRow {
  /** HTTP status, or null where the code never crosses HTTP. */
  readonly http: number | null;
  /** WebSocket close code, or null where the socket stays open. */
  readonly close: number | null;
  readonly retry: Retry;
  /** The room did not use the op's number: send the same again ([OP6]). */
  readonly held?: true;
  readonly text: (params: ErrorParams) => string;
}

const count = (n: number | undefined): string => (n === undefined ? "?" : n.toLocaleString("en"));

export const ERRORS = {
  offline: {
    http: null,
    close: null,
    retry: "with-backoff",
    text: ({ rule }) =>
      rule === "chosen"
        ? "You chose to work offline, and this needs the network. Go back online first, in the menu behind your name."
        : "You're offline, and this needs the network. Try again when you're back.",
  },
  unauthenticated: {
    http: 401,
    close: 4401,
    retry: "after-sign-in",
    text: () => "Please sign in again. Nothing is lost.",
  },
  token_expired: {
    http: 401,
    close: 4401,
    retry: "with-backoff",
    text: () => "The permission for this room ran out; it is being renewed.",
  },
  forbidden: {
    http: 403,
    close: 4403,
    retry: "never",
    text: () => "You no longer have access to this channel.",
  },
  not_found: {
    http: 404,
    close: 4404,
    retry: "never",
    text: () => "This isn't here, or you can't see it.",
  },
  invalid: {
    http: 422,
    close: 4422,
    retry: "after-user-fix",
    text: ({ field, rule }) =>
      field ? `${field}: ${rule ?? "is not valid"}.` : `Not valid${rule ? `: ${rule}` : ""}.`,
  },
  too_long: {
    http: 422,
    close: null,
    retry: "after-user-fix",
    text: ({ field = "This message", actual, limit, unit = "characters" }) =>
      `${field} has ${count(actual)} ${unit}; the limit is ${count(limit)}.`,
  },
  too_large: {
    http: 413,
    close: 4413,
    retry: "after-user-fix",
    text: ({ field = "This", actual, limit, unit = "bytes" }) =>
      actual === undefined
        ? `${field} is too large; the limit is ${count(limit)} ${unit}.`
        : `${field} has ${count(actual)} ${unit}; the limit is ${count(limit)}.`,
  },
  unsupported_type: {
    http: 415,
    close: null,
    retry: "after-user-fix",
    text: ({ rule }) => `This type isn't accepted${rule ? `: ${rule}` : ""}.`,
  },
  archived: {
    http: 409,
    close: null,
    retry: "after-user-fix",
    text: ({ channel }) => (channel ? `#${channel} is archived.` : "This channel is archived."),
  },
  name_taken: {
    http: 409,
    close: null,
    retry: "after-user-fix",
    text: () => "That name is taken.",
  },
  last_owner: {
    http: 409,
    close: null,
    retry: "after-user-fix",
    text: () => "A workspace needs an owner.",
  },
  out_of_order: {
    http: 409,
    close: null,
    retry: "with-backoff",
    held: true,
    text: () => "Another op of this device comes first.",
  },
  device_conflict: {
    http: 409,
    close: 4409,
    retry: "with-backoff",
    text: () => "This device was known by other numbers; it starts anew.",
  },
  too_many: {
    http: 422,
    close: null,
    retry: "after-user-fix",
    text: ({ field = "This", limit }) => `${field}: the limit is ${count(limit)}.`,
  },
  rate_limited: {
    http: 429,
    close: 4429,
    retry: "with-backoff",
    held: true,
    text: ({ seconds = 1 }) =>
      seconds > 1 ? `Slow down for ${count(Math.ceil(seconds))} seconds.` : "Slow down for a second.",
  },
  quota_exceeded: {
    http: 507,
    close: null,
    retry: "after-user-fix",
    text: () => "The workspace's storage is full.",
  },
  storage_full: {
    http: null,
    close: null,
    retry: "after-user-fix",
    text: () => "This device is out of space.",
  },
  storage_blocked: {
    http: null,
    close: null,
    retry: "after-user-fix",
    text: () => "This browser keeps nothing (private mode?).",
  },
  upgrade_required: {
    http: 426,
    close: 4426,
    retry: "after-update",
    text: () => "Causeway was updated. Reload to go on.",
  },
  no_hello: {
    http: null,
    close: 4408,
    retry: "with-backoff",
    text: () => `Nothing was said for ${HELLO_WITHIN_MS / 1000} seconds.`,
  },
  invite_expired: {
    http: 410,
    close: null,
    retry: "never",
    text: () => "This invitation has expired. Ask whoever sent it for a new one.",
  },
  invite_used: {
    http: 410,
    close: null,
    retry: "never",
    text: () => "This invitation has been used up. Ask whoever sent it for a new one.",
  },
  invite_revoked: {
    http: 410,
    close: null,
    retry: "never",
    text: () => "This invitation was withdrawn. Ask whoever sent it.",
  },
  setup_required: {
    http: 409,
    close: null,
    retry: "after-user-fix",
    text: () => "This deployment isn't set up yet: the first workspace needs its set-up code.",
  },
  setup_done: {
    http: 409,
    close: null,
    retry: "never",
    text: () => "This deployment is set up already. Sign in.",
  },
  upstream_unavailable: {
    http: 503,
    close: null,
    retry: "with-backoff",
    held: true,
    text: () => "Causeway can't be reached. Trying again.",
  },
  internal: {
    http: 500,
    close: 1011,
    retry: "with-backoff",
    held: true,
    text: ({ reference }) => `Something broke on our side${reference ? ` (${reference})` : ""}.`,
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

/** A failure on its way to a person or another process: the code decides, the detail is read. */
export interface Failure {
  readonly code: ErrorCode;
  /** One sentence for a person, from the catalogue. Holds no message text, token or stack. */
  readonly detail: string;
  /** Seconds until trying again makes sense; may be a fraction. */
  readonly retryAfter?: number;
  /** The number the room expects next, with `out_of_order`. */
  readonly expected?: number;
}

export function failure(code: ErrorCode, params: ErrorParams = {}): Failure {
  const detail = rowOf(code).text(params);
  return params.seconds === undefined ? { code, detail } : { code, detail, retryAfter: params.seconds };
}

export function rowOf(code: ErrorCode): ErrorRow {
  return ERRORS[code];
}

export function isHeld(code: ErrorCode): boolean {
  return rowOf(code).held === true;
}

/** The body of an HTTP error, RFC 9457; `type` is left at about:blank and `code` is the stable part. */
export interface Problem {
  readonly title: string;
  readonly status: number;
  readonly code: ErrorCode;
  readonly detail: string;
  readonly [extra: string]: unknown;
}

export function problemOf(error: Failure, extra: Readonly<Record<string, unknown>> = {}): Problem {
  const status = rowOf(error.code).http ?? 500;
  const retryAfter = error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter };
  return { title: error.detail, status, code: error.code, detail: error.detail, ...retryAfter, ...extra };
}
