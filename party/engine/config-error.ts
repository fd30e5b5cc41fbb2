// A variable of the deployment that is missing or wrong.

/** The message names the variable and never repeats its value, so it may stand in the log. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** What the log may say of an error: others' messages could quote what somebody wrote. */
export function faultOf(error: unknown): string {
  if (error instanceof ConfigError) return `${error.name}: ${error.message}`;
  return error instanceof Error ? error.name : "unknown";
}
