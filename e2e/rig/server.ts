/** The app of a browser test: from the build that the whole run shares. Outside vitest, `launchApp` takes a build. */
import { inject } from "vitest";
import { type App, launchApp } from "./app.ts";

/** `vars`: variables of the Worker, such as `ROOM_TOKEN_SECONDS` or `OPEN_SIGNUP`. */
export function startApp(vars: Readonly<Record<string, string>> = {}, snapshot = inject("snapshot")): Promise<App> {
  return launchApp(snapshot, vars);
}
