/** The channel screen by the roles and names of the contract (design: names that tests and screen readers rely on). */
import type { Locator, Page } from "playwright-core";
import { eventually } from "./eventually.ts";

export interface Shown {
  readonly id: string;
  readonly seq: number | null;
  readonly delivery: string;
  readonly text: string;
}

/** How long a message that is pointed at is looked at for its buttons, before one points again. */
const POINTED_AT_MS = 5_000;
const ACTED_WITHIN_MS = 60_000;

export const composer = (page: Page, channel = "general"): Locator =>
  page.getByRole("textbox", { name: `Message #${channel}`, exact: true });

/** Of the message that is being edited. */
export const editor = (page: Page): Locator => page.getByRole("textbox", { name: "Edit message" });

export const messages = (page: Page): Locator => page.getByRole("log").getByRole("article");

/** The message that says this. */
export const message = (page: Page, text: string): Locator => messages(page).filter({ hasText: text });

export const sidebar = (page: Page): Locator => page.getByRole("navigation", { name: "Channels" });

export const channelLink = (page: Page, channel: string): Locator =>
  sidebar(page).getByRole("link", { name: new RegExp(`^#? ?${channel}\\b`) });

export const connection = (page: Page): Locator => page.getByRole("status", { name: "Connection" });

export function connectionState(page: Page): Promise<string | null> {
  return connection(page).first().getAttribute("data-state");
}

export async function isLive(page: Page, withinMs?: number): Promise<void> {
  await eventually(() => connectionState(page), withinMs).toBe("live");
}

/** The line is known to be gone. */
export async function isAway(page: Page): Promise<void> {
  await eventually(() => connectionState(page)).toMatch(/^(offline|reconnecting)$/);
}

/**
 * Types into the composer, in the place of what stands there. What another tab or device types stands in an empty composer
 * here as well, also between one's reaching for it and typing; a person would see it, and begin anew.
 */
export async function write(page: Page, text: string, channel = "general"): Promise<void> {
  await eventually(async () => {
    await composer(page, channel).fill(text);
    return composer(page, channel).inputValue();
  }).toBe(text);
}

/** Types into the composer and presses Enter, as one does. */
export async function say(page: Page, text: string, channel = "general"): Promise<void> {
  await write(page, text, channel);
  await composer(page, channel).press("Enter");
}

/** Every message in the document, in the order shown. The timeline keeps only what is near the window: see `tall`. */
export function shown(page: Page): Promise<Shown[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("[role=log] article")].map(({ dataset, innerText }) => ({
      id: dataset["messageId"] ?? "",
      seq: dataset["seq"] === undefined ? null : Number(dataset["seq"]),
      delivery: dataset["delivery"] ?? "",
      text: innerText,
    })),
  );
}

export async function shownIds(page: Page): Promise<string[]> {
  return (await shown(page)).map(({ id }) => id);
}

/** A window so high that all of a short channel is in the document at once. */
export async function tall(page: Page, height = 4_000): Promise<void> {
  await page.setViewportSize({ width: 1280, height });
}

export async function isDelivered(page: Page, text: string, withinMs?: number): Promise<void> {
  await eventually(() => message(page, text).last().getAttribute("data-delivery"), withinMs).toBe("sent");
}

export async function isQueued(page: Page, text: string): Promise<void> {
  await eventually(() => message(page, text).last().getAttribute("data-delivery")).toBe("queued");
}

/** One of the buttons that a message shows when pointed at. Its text stands in quotes of it too: it is the first. */
export async function act(page: Page, text: string, action: string): Promise<void> {
  const target = message(page, text).first();
  const button = target
    .getByRole("toolbar", { name: "Message actions" })
    .getByRole("button", { name: action, exact: true });
  // What arrives meanwhile moves the message from under the pointer, and its buttons go with that.
  await eventually(async () => {
    await target.hover({ timeout: POINTED_AT_MS });
    return button.click({ timeout: POINTED_AT_MS }).then(
      () => "done",
      (error: Error) => error.message,
    );
  }, ACTED_WITHIN_MS).toBe("done");
}

/** All messages in view are delivered and stand alike on both screens. */
export async function standAlike(one: Page, other: Page, withinMs?: number): Promise<void> {
  await eventually(async () => {
    const [a, b] = await Promise.all([shown(one), shown(other)]);
    const waiting = [...a, ...b].filter(({ delivery }) => delivery !== "sent").length;
    return {
      waiting,
      one: a.map(({ id }) => id),
      isSame: JSON.stringify(a.map(placeOf)) === JSON.stringify(b.map(placeOf)),
    };
  }, withinMs).toMatchObject({ waiting: 0, isSame: true });
}

const placeOf = ({ id, seq }: Shown): readonly [string, number | null] => [id, seq];
