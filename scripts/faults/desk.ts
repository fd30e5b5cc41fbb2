/** One person at an open page, behind a network cable of their own that can be broken in every way. */
import { setTimeout as pause } from "node:timers/promises";
import type { BrowserContext, Page } from "playwright-core";
import { shellIsKept } from "../../e2e/journeys/network.ts";
import { type Proxy, startProxy } from "../../e2e/rig/proxy.ts";
import type { Person } from "../../e2e/rig/people.ts";
import { COMPOSER_ID } from "../../web/features/composer/focus.ts";
import { PLACES } from "../../web/features/composer/last-words.ts";
import { startKillable, type Killable } from "../../e2e/rig/killable.ts";
import { edit, remove } from "./changes.ts";
import type { Member, Typed } from "./judge.ts";
import {
  emptyOut,
  focusOn,
  hasComeBack,
  heldAfter,
  isGone,
  linesAfter,
  messageSaying,
  typeAll,
  typedSoFar,
  whenAlike,
  whenShown,
} from "./page.ts";
import type { Fault } from "./plan.ts";
import { forgetful, unpainted, unrulyFrames, wrongClock } from "./shims.ts";

/** A cold page on a loaded machine. */
export const OPEN_WITHIN_MS = 30_000;
const TAKEN_WITHIN_MS = 30_000;
/** What a tab that is gone left behind comes back as soon as its lock is free. */
const RESTORED_WITHIN_MS = 20_000;
/** What a tab that is still open holds stays its own. */
const BESIDE_WITHIN_MS = 1_500;
const ASKED_EVERY_MS = 60;
/** High enough that a whole episode is on the screen at once. */
const VIEWPORT = { width: 700, height: 2_800 };

export interface DeskOptions {
  readonly person: Person;
  /** The server's. */
  readonly port: number;
  /** A fresh profile in a browser that runs; for a desk whose browser is never killed. */
  readonly context: (() => Promise<BrowserContext>) | null;
  /** By how much the clock is wrong. */
  readonly clockMs: number;
  readonly control: "again" | "never" | null;
}

export class Desk {
  readonly name: string;
  readonly proxy: Proxy;
  readonly #options: DeskOptions;
  readonly #killable: Killable | null;
  #context: BrowserContext;
  #page: Page;
  #path = "/";
  /** Typed since nothing can have been answered; null where answers get through. */
  #unanswerable: string[] | null = null;
  readonly early: string[] = [];

  private constructor(
    options: DeskOptions,
    proxy: Proxy,
    killable: Killable | null,
    context: BrowserContext,
    page: Page,
  ) {
    this.name = options.person.name;
    this.proxy = proxy;
    this.#options = options;
    this.#killable = killable;
    this.#context = context;
    this.#page = page;
  }

  static async open(options: DeskOptions): Promise<Desk> {
    const proxy = await startProxy(options.port);
    const killable = options.context === null ? startKillable() : null;
    const context = killable === null ? await options.context!() : await killable.launch();
    const desk = new Desk(options, proxy, killable, context, await pageOf(context, options));
    await options.person.signInto(context, proxy.url);
    return desk;
  }

  get page(): Page {
    return this.#page;
  }

  /** Opens a place in the app; so too after a crash or a kill. */
  async go(path: string, restoredWithinMs = RESTORED_WITHIN_MS): Promise<void> {
    this.#path = path;
    await this.#page.goto(new URL(path, this.proxy.url).href, { timeout: OPEN_WITHIN_MS, waitUntil: "commit" });
    await this.#page.locator(`#${COMPOSER_ID}`).waitFor({ timeout: OPEN_WITHIN_MS });
    // What a tab that ended left behind comes back a moment later; who types before it has come writes behind it.
    await this.#haveComeBack(restoredWithinMs);
  }

  /** From now on the app opens without a network. */
  keepShell(): Promise<void> {
    return shellIsKept(this.#page);
  }

  /**
   * Answers what was not taken.
   *
   * @param typed by this person before: what of it comes back into the composer is entered once more, first
   */
  async say(texts: readonly string[], isByKeyboard: boolean, typed: readonly Typed[]): Promise<string[]> {
    return [...(await this.#sayAgain(typed)), ...(await this.#say(texts, isByKeyboard))];
  }

  async #say(texts: readonly string[], isByKeyboard: boolean): Promise<string[]> {
    this.#unanswerable?.push(...texts);
    if (!isByKeyboard || texts.some((text) => text.includes("\n")))
      return this.#page.evaluate(typeAll, { composer: COMPOSER_ID, texts, withinMs: TAKEN_WITHIN_MS });
    const refused: string[] = [];
    for (const text of texts) {
      const isThere = await this.#page.evaluate(focusOn, COMPOSER_ID);
      await this.#page.keyboard.insertText(text);
      await this.#page.keyboard.press("Enter");
      if (!isThere || (await this.#page.evaluate(typedSoFar, COMPOSER_ID)) !== "") refused.push(text);
    }
    return refused;
  }

  /** Edits what says this, or deletes it where `next` is null. Answers false where it isn't on the screen to begin with. */
  async change(text: string, next: string | null): Promise<boolean> {
    const id = await this.#page.evaluate(messageSaying, tagOf(text));
    if (id === null) return false;
    await this.#page.evaluate(() => document.documentElement.setAttribute("data-painted", ""));
    await (next === null ? remove(this.#page, id) : edit(this.#page, id, next));
    // Closed behind the press, the dialog may go before that is stored. What doesn't go is for the judge.
    if (next === null) {
      const waiting = { timeout: TAKEN_WITHIN_MS, polling: 20 };
      await this.#page.waitForFunction(isGone, tagOf(text), waiting).catch(() => undefined);
    }
    await this.#page.evaluate(() => document.documentElement.removeAttribute("data-painted"));
    return true;
  }

  async break(fault: Fault): Promise<void> {
    const isDeaf = ["cut", "hang", "drop-up", "swallow-down"].includes(fault.kind);
    // What was answered just before may still be on its way to the screen: only what is typed from now on is judged.
    this.#unanswerable = isDeaf ? [] : null;
    switch (fault.kind) {
      case "cut":
        return this.proxy.cut();
      case "hang":
        return this.proxy.hang();
      case "drop-up":
        return this.proxy.dropUp();
      case "swallow-down":
        return this.proxy.swallowDown();
      case "slow":
        return this.proxy.slow(fault);
      case "cut-after":
        void this.proxy.cutAfter(fault.direction, fault.bytes);
        return;
      case "frames":
        return this.#setFrames(true);
    }
  }

  async mend(isTold: boolean): Promise<void> {
    const typed = this.#unanswerable ?? [];
    this.#unanswerable = null;
    if (typed.length > 0) {
      const lines = await this.#page.evaluate(linesAfter, 0);
      this.early.push(
        ...typed.filter((text) => lines.some((line) => isOf(line.text, text) && line.delivery === "sent")),
      );
    }
    this.proxy.up();
    await this.#setFrames(false);
    if (isTold) await this.nudge();
  }

  /** What an operating system says when the cable is in again. */
  async nudge(): Promise<void> {
    await this.#page.evaluate(() => dispatchEvent(new Event("online")));
  }

  /**
   * Loads the page anew, whatever it was doing. What was entered and not on disk by then stands in the composer again:
   * the person enters it once more. Answers what was refused.
   */
  async reload(typed: readonly Typed[]): Promise<string[]> {
    await this.go(this.#path);
    return this.#sayAgain(typed);
  }

  /** Everything that was typed is on its way: nothing of it waits in the composer. Answers what was refused. */
  async finish(typed: readonly Typed[]): Promise<string[]> {
    await this.#haveComeBack(BESIDE_WITHIN_MS);
    return this.#sayAgain(typed);
  }

  async #sayAgain(typed: readonly Typed[]): Promise<string[]> {
    const restored = await this.#page.evaluate(typedSoFar, COMPOSER_ID);
    if (restored === null || restored === "") return [];
    const missing = await this.shows(typed, "shown", BESIDE_WITHIN_MS);
    const again = typed.filter(({ text }) => missing.includes(tagOf(text)) && restored.includes(text));
    await this.#page.evaluate(emptyOut, COMPOSER_ID);
    return this.#say(
      again.map(({ text }) => text),
      false,
    );
  }

  /** The tab's process ends, as when memory runs out. */
  async crash(typed: readonly Typed[]): Promise<string[]> {
    const session = await this.#context.newCDPSession(this.#page);
    const crashed = new Promise((resolve) => this.#page.once("crash", resolve));
    void session.send("Page.crash").catch(() => undefined);
    await crashed;
    const old = this.#page;
    this.#page = await pageOf(this.#context, this.#options);
    await old.close();
    return this.reload(typed);
  }

  /** Goes on in another tab; the first one is closed a moment later, with whatever it was doing. */
  async moveToSecondTab(): Promise<void> {
    const first = this.#page;
    this.#page = await pageOf(this.#context, this.#options);
    await this.go(this.#path, BESIDE_WITHIN_MS);
    await first.close();
  }

  /** SIGKILL to the browser, once all that was typed is on its screen; then the same profile again. */
  async kill(typed: readonly Typed[]): Promise<void> {
    if (this.#killable === null) return;
    await this.shows(typed.slice(-5), "shown", TAKEN_WITHIN_MS);
    await this.#killable.kill();
    this.#context = await this.#killable.launch();
    // Chromium writes cookies down only twice a minute; a session that is older than this episode is on its disk.
    await this.#options.person.signInto(this.#context, this.proxy.url);
    this.#page = await pageOf(this.#context, this.#options);
    await this.go(this.#path);
  }

  /** Waits until these are on the screen. Answers those that aren't. */
  shows(typed: readonly Typed[], delivery: "shown" | "sent", withinMs: number): Promise<string[]> {
    const tags = typed.map(({ text }) => tagOf(text));
    return this.#page.evaluate(whenShown, { tags, delivery, withinMs });
  }

  alike(after: number, places: readonly string[], withinMs: number): Promise<boolean> {
    return this.#page.evaluate(whenAlike, { after, places, withinMs });
  }

  /**
   * What this desk holds once its outbox is empty: an answer may come behind the message that it is about, and an edit or a
   * deletion is on the screen before it leaves.
   */
  async member(room: string, after: number, withinMs: number): Promise<Member> {
    const deadline = performance.now() + withinMs;
    for (;;) {
      const screen = await this.#page.evaluate(linesAfter, after);
      const lies = await this.#page.evaluate(heldAfter, { room, after });
      if (lies.left.length === 0 || performance.now() > deadline) return { name: this.name, screen, ...lies };
      await pause(ASKED_EVERY_MS);
    }
  }

  async close(): Promise<void> {
    await this.#context.close().catch(() => undefined);
    await this.#killable?.remove();
    await this.proxy.close();
  }

  async #haveComeBack(withinMs: number): Promise<void> {
    await this.#page.waitForFunction(hasComeBack, PLACES, { timeout: withinMs, polling: 20 }).catch(() => undefined);
  }

  #setFrames(isOn: boolean): Promise<void> {
    return this.#page.evaluate((isOn) => {
      (globalThis as { causewayFrames?: boolean }).causewayFrames = isOn;
    }, isOn);
  }
}

export const tagOf = (text: string): string => text.slice(0, text.indexOf(" "));

const isOf = (line: string, text: string): boolean => line.includes(`${tagOf(text)} `);

async function pageOf(context: BrowserContext, { clockMs, control }: DeskOptions): Promise<Page> {
  const page = await context.newPage();
  await page.setViewportSize(VIEWPORT);
  await page.addInitScript(
    control === null ? unrulyFrames : forgetful,
    ...((control === null ? [] : [control]) as ["again"]),
  );
  await page.addInitScript(unpainted, COMPOSER_ID);
  if (clockMs !== 0) await page.addInitScript(wrongClock, clockMs);
  return page;
}
