// One structured line per internal error, and per call that a room didn't answer. Nothing a person wrote, no token and no address ever stands in it:
// the route is the pattern, not the path, and what an error says is stripped of everything that could be one.

/** E-mail addresses, network addresses of both kinds, and words long enough to be a token, a key or an id. */
const PRIVATE = /[\w.%+-]+@[\w.-]+|\b\d{1,3}(?:\.\d{1,3}){3}\b|(?:[\da-f]{0,4}:){3,}[\da-f]*|[\w+/=.-]{20,}/gi;
const QUOTED = /"[^"\n]*"|'[^'\n]*'|`[^`\n]*`/g;
const STACK_LINES = 12;

export function logError(reference: string, where: { method: string; route: string }, error: unknown): void {
  // oxlint-disable-next-line no-console -- the platform's log is the console
  console.error(JSON.stringify({ level: "error", reference, ...where, error: describe(error) }));
}

/** A room that couldn't be asked: whoever called was told to try again, and whoever runs the deployment sees why. */
export function logRoomFault(call: { party: string; action: string; why: string }, error?: unknown): void {
  // oxlint-disable-next-line no-console -- the platform's log is the console
  console.warn(JSON.stringify({ level: "warn", ...call, ...(error === undefined ? {} : { error: describe(error) }) }));
}

/** The error and its causes: names, messages without what may be private, and where it was thrown. */
export function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return { name: typeof error };
  const cause = error.cause === undefined ? {} : { cause: describe(error.cause) };
  return { name: error.name, message: scrub(error.message), stack: framesOf(error), ...cause };
}

function scrub(text: string): string {
  return text.replace(QUOTED, "…").replace(PRIVATE, "…").slice(0, 300);
}

function framesOf(error: Error): string[] {
  const lines = (error.stack ?? "").split("\n").map((line) => line.trim());
  return lines.filter((line) => line.startsWith("at ")).slice(0, STACK_LINES);
}
