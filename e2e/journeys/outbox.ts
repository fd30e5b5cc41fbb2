/** The Outbox: what waits, and what was refused. */
import type { Locator, Page } from "playwright-core";
import { sidebar } from "./channel.ts";

export async function openOutbox(page: Page): Promise<void> {
  await sidebar(page).getByRole("link", { name: "Outbox" }).click();
  await page.getByRole("region", { name: "Outbox" }).waitFor();
}

export const inOutbox = (page: Page, text: string): Locator =>
  page.getByRole("region", { name: "Outbox" }).getByRole("listitem").filter({ hasText: text });
