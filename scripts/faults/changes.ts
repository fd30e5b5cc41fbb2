/** What a person does to a message that stands there: by its buttons, as often as what arrives moves it away. */
import type { Page } from "playwright-core";

const DONE_WITHIN_MS = 30_000;
const POINTED_AT_MS = 3_000;

export async function edit(page: Page, id: string, text: string): Promise<void> {
  await press(page, id, "Edit");
  const area = page.getByRole("textbox", { name: "Edit message" });
  await area.fill(text, { timeout: DONE_WITHIN_MS });
  await area.press("Enter");
  await area.waitFor({ state: "detached", timeout: DONE_WITHIN_MS });
}

export async function remove(page: Page, id: string): Promise<void> {
  await press(page, id, "Delete");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Delete" }).click({ timeout: DONE_WITHIN_MS });
  await dialog.waitFor({ state: "detached", timeout: DONE_WITHIN_MS });
}

async function press(page: Page, id: string, button: "Edit" | "Delete"): Promise<void> {
  const line = page.locator(`article[data-message-id="${id}"]`).first();
  for (const deadline = performance.now() + DONE_WITHIN_MS; ;) {
    try {
      await line.hover({ timeout: POINTED_AT_MS });
      return await line.getByRole("button", { name: button, exact: true }).click({ timeout: POINTED_AT_MS });
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
  }
}
