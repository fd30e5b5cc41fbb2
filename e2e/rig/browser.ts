/** A browser, once a file: Chromium, or what `BROWSER` says. Each person has a context of their own, as if on a machine of their own. */
import { mkdtempSync, readlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type BrowserType,
  chromium,
  firefox,
  type LaunchOptions,
  type Page,
} from "playwright-core";
import { CHROMIUM_ARGS, findChromium } from "./chromium.ts";
import { findFirefox, firefoxOptions, leaveMediaAlone, typeForReal } from "./firefox.ts";
import { removeFolder } from "./folder.ts";

export interface Screen {
  readonly size?: "desktop" | "phone";
  readonly scheme?: "light" | "dark";
  /** Off only where a test is about motion. */
  readonly isMotionReduced?: boolean;
}

/** A window of one person, and what went wrong in it. */
export interface Window {
  readonly context: BrowserContext;
  readonly page: Page;
  /**
   * Uncaught exceptions, console errors, dialogs and violations of the content security policy of every page of
   * the context, but for requests that the network failed.
   */
  readonly faults: readonly string[];
}

export interface Rig {
  /** A fresh profile that ends with `close`. */
  open(screen?: Screen): Promise<Window>;
  /** A profile on disk, to be closed and opened again with what it stored. */
  profile(options?: ProfileOptions): Profile;
  close(): Promise<void>;
}

export interface ProfileOptions {
  /** Pages that are left stay in memory for who comes back, as with people; Playwright has Chromium forget them. */
  readonly keepsPages?: boolean;
}

export interface Profile {
  /** Where it is on disk. */
  readonly folder: string;
  /** Starts a browser on this profile; close its context to close it. */
  open(screen?: Screen): Promise<Window>;
  /** Pulls the plug of the browser on it: SIGKILL, nothing of it gets to say a word. */
  kill(): Promise<void>;
  remove(): Promise<void>;
}

export const SCREENS = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const;
const IS_FIREFOX = process.env["BROWSER"] === "firefox";

export async function startBrowser(): Promise<Rig> {
  const engine = chosen();
  const browser: Browser = await engine.type.launch(engine.options());
  if (engine.type === firefox) leaveMediaAlone(browser);
  const profiles: Profile[] = [];
  return {
    async open(screen = {}) {
      return watch(await browser.newContext(optionsOf(screen)));
    },
    profile({ keepsPages = false } = {}) {
      const folder = mkdtempSync(join(tmpdir(), "causeway-profile-"));
      const running = new Set<BrowserContext>();
      const profile: Profile = {
        folder,
        async open(screen = {}) {
          const context = await engine.type.launchPersistentContext(folder, {
            ...engine.options(screen.isMotionReduced),
            ...(keepsPages && !IS_FIREFOX ? { ignoreDefaultArgs: ["--disable-back-forward-cache"] } : {}),
            ...optionsOf(screen),
          });
          running.add(context);
          context.on("close", () => running.delete(context));
          return watch(context);
        },
        async kill() {
          const gone = [...running].map((context) => new Promise((resolve) => context.on("close", resolve)));
          for (const pid of browsersOn(folder)) process.kill(pid, "SIGKILL");
          await Promise.all(gone);
        },
        async remove() {
          await Promise.all([...running].map((context) => context.close()));
          removeFolder(folder);
        },
      };
      profiles.push(profile);
      return profile;
    },
    async close() {
      await Promise.all(profiles.map((profile) => profile.remove()));
      await browser.close();
    },
  };
}

interface Engine {
  readonly type: BrowserType;
  readonly options: (isMotionReduced?: boolean) => LaunchOptions;
}

function chosen(): Engine {
  if (IS_FIREFOX) {
    const executablePath = findFirefox();
    if (!executablePath) throw new Error("No Firefox on this machine: install it, or set FIREFOX_PATH.");
    return { type: firefox, options: (isMotionReduced = true) => firefoxOptions(executablePath, isMotionReduced) };
  }
  const executablePath = findChromium();
  if (!executablePath) throw new Error("No Chromium on this machine: install it, or set CHROMIUM_PATH.");
  return { type: chromium, options: () => ({ executablePath, args: [...CHROMIUM_ARGS] }) };
}

/** Kills the tab's process. */
export async function crash(page: Page): Promise<void> {
  const crashed = page.waitForEvent("crash");
  const session = await page.context().newCDPSession(page);
  // Nobody is left to answer.
  void session.send("Page.crash").catch(() => undefined);
  await crashed;
  await page.close();
}

/** A browser keeps the process of a profile in a link beside it: `host-pid`, in Firefox `address:+pid`. */
function browsersOn(folder: string): number[] {
  const pid = Number(
    readlinkSync(join(folder, IS_FIREFOX ? "lock" : "SingletonLock"))
      .split(/-|:\+/)
      .at(-1),
  );
  return Number.isInteger(pid) ? [pid] : [];
}

function optionsOf({ size = "desktop", scheme = "light", isMotionReduced = true }: Screen): BrowserContextOptions {
  return {
    viewport: SCREENS[size],
    hasTouch: size === "phone",
    // Only Chromium plays a phone; elsewhere it is a narrow window that is touched.
    ...(IS_FIREFOX ? {} : { isMobile: size === "phone" }),
    colorScheme: scheme,
    reducedMotion: isMotionReduced ? "reduce" : "no-preference",
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
  };
}

/** What a test waits for, a busy machine brings in its own time. */
const ACTS_WITHIN_MS = 30_000;

async function watch(context: BrowserContext): Promise<Window> {
  const faults: string[] = [];
  // What a database fails with has no stack.
  context.on("weberror", (weberror) => {
    const error = weberror.error();
    // Firefox gives what it writes itself for an error of the page's.
    if (!IS_FIREFOX || !isNetworkNoise(error.message)) faults.push(error.stack || String(error));
  });
  context.on("console", (message) => {
    if (message.type() === "error" && !isNetworkNoise(message.text())) faults.push(message.text());
  });
  // Causeway opens none of the browser's own, but has it ask before a page takes with it what nothing keeps; a script that
  // got in would.
  context.on("dialog", (dialog) => {
    if (dialog.type() !== "beforeunload") faults.push(`${dialog.type()} dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await context.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sample }) =>
      console.error(`Content security policy: ${effectiveDirective} ${blockedURI} ${sample}`),
    );
  });
  if (IS_FIREFOX) await context.addInitScript(typeForReal);
  context.setDefaultTimeout(ACTS_WITHIN_MS);
  return { context, page: context.pages()[0] ?? (await context.newPage()), faults };
}

/** Browsers themselves write these for every request that fails, which is what a test of a bad network wants. */
function isNetworkNoise(text: string): boolean {
  if (text.includes("the server responded with a status of 500")) return false;
  const kinds = [
    "Failed to load resource",
    "WebSocket connection to",
    "An unknown error occurred when fetching the script",
    // Firefox
    "The connection to ws://",
    "Firefox can’t establish a connection",
    "Failed to load ‘",
    "Loading failed for",
    "Cross-Origin Request Blocked",
    // Of the style by which Playwright hides the caret in a photograph.
    "Content-Security-Policy: The page’s settings blocked an inline style (style-src-elem)",
  ];
  return kinds.some((kind) => text.startsWith(kind));
}
