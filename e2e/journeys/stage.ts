/** What every browser test stands on: one server, one Chromium, and a place at a screen for each person. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, expect } from "vitest";
import type { App } from "../rig/app.ts";
import { type Profile, type Rig, type Screen, startBrowser, type Window } from "../rig/browser.ts";
import { prepare } from "../rig/in-time.ts";
import type { Person } from "../rig/people.ts";
import { type Proxy, startProxy } from "../rig/proxy.ts";
import { startApp } from "../rig/server.ts";
import type { Snapshot } from "../rig/snapshot.ts";

/** A person's machine: a browser profile of its own behind a network cable of its own. */
export interface Desk {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly proxy: Proxy;
  /** Another tab of the same profile. */
  tab(path: string): Promise<Page>;
  go(path: string): Promise<void>;
  /** Ends the browser or its context; a profile on disk keeps what it stored. */
  close(): Promise<void>;
}

export interface DeskOptions extends Screen {
  /** Whose session the browser holds; nobody's when left out. */
  readonly person?: Person;
  /** A profile on disk, to be left and opened again. */
  readonly profile?: Profile;
  /** The cable of an earlier desk: the same origin, so the same storage. */
  readonly proxy?: Proxy;
}

export interface Stage {
  /** The server itself, past every proxy: how tests see the truth. */
  readonly app: App;
  readonly rig: Rig;
  desk(options?: DeskOptions): Promise<Desk>;
  cable(): Promise<Proxy>;
}

/**
 * Call it once at the top of a file. After each test every browser is closed, and the test fails if a page had an
 * uncaught exception, a console error, a dialog or a violation of the content security policy.
 * @param snapshot the build to serve, where it isn't the one that all files share
 */
export function setStage(vars: Readonly<Record<string, string>> = {}, snapshot?: Snapshot): Stage {
  let app: App | undefined;
  let rig: Rig | undefined;
  let windows: Window[] = [];
  let cables: Proxy[] = [];

  prepare(async () => {
    [app, rig] = await Promise.all([startApp(vars, snapshot), startBrowser()]);
  });
  afterAll(async () => {
    await rig?.close();
    await app?.stop();
  });
  afterEach(async ({ task }) => {
    const [left, cut] = [windows, cables];
    [windows, cables] = [[], []];
    if (task.result?.state === "fail") await Promise.all(left.map((window, at) => photograph(window, task.name, at)));
    await Promise.all(left.map(({ context }) => context.close().catch(() => undefined)));
    await Promise.all(cut.map((cable) => cable.close()));
    expect(left.flatMap(({ faults }) => faults)).toEqual([]);
  });

  const stage: Stage = {
    get app() {
      return app!;
    },
    get rig() {
      return rig!;
    },
    async cable() {
      const cable = await startProxy(stage.app.port);
      cables.push(cable);
      return cable;
    },
    async desk({ person, profile, proxy: given, ...screen } = {}) {
      const proxy = given ?? (await stage.cable());
      const window = await (profile ?? stage.rig).open(screen);
      windows.push(window);
      const { context, page } = window;
      if (person) await person.signInto(context, proxy.url);
      return {
        context,
        page,
        proxy,
        async tab(path) {
          const tab = await context.newPage();
          await tab.goto(new URL(path, proxy.url).href);
          return tab;
        },
        async go(path) {
          await page.goto(new URL(path, proxy.url).href);
        },
        async close() {
          await context.close();
        },
      };
    },
  };
  return stage;
}

/** What the people saw when it failed, where `SCREENSHOTS` names a folder. */
async function photograph({ context }: Window, test: string, at: number): Promise<void> {
  const folder = process.env["SCREENSHOTS"];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  const name = test.replace(/[^a-z0-9]+/gi, "-").slice(0, 60);
  for (const [tab, page] of context.pages().entries()) {
    await page
      .screenshot({ path: join(folder, `failed-${name}-${at}-${tab}.png`), timeout: 5_000 })
      .catch(() => undefined);
  }
}
