/** The channel screen by the roles and names of the contract (design: names that tests and screen readers rely on). */
import type { Locator, Page } from "playwright-core";
import { eventually } from "./eventually.ts";

export interface Shown {
  readonly id: string;
  readonly seq: number | null;
  readonly delivery: string;
  readonly text: string;
}

export const composer = (page: Page, channel = "general"): Locator =>
  page.getByRole("textbox", { name: `Message #${channel}`, exact: true });

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

/** Types into the composer and presses Enter, as one does. */
export async function say(page: Page, text: string, channel = "general"): Promise<void> {
  await composer(page, channel).fill(text);
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
  await target.hover();
  await target
    .getByRole("toolbar", { name: "Message actions" })
    .getByRole("button", { name: action, exact: true })
    .click();
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
