/** What a person does to a message that stands there: by its buttons, as often as what arrives moves it away. */
import type { Page } from "playwright-core";

const DONE_WITHIN_MS = 30_000;
const POINTED_AT_MS = 3_000;

export async function edit(page: Page, id: string, text: string): Promise<void> {
  await press(page, id, "Edit");
  const area = page.getByRole("textbox", { name: "Edit message" });
  await area.fill(text, { timeout: DONE_WITHIN_MS }).catch(async (error: unknown) => {
    throw new Error(`No editor to write in: ${await page.evaluate(standing, id)}`, { cause: error });
  });
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
  await page.evaluate(notePresses);
  for (const deadline = performance.now() + DONE_WITHIN_MS; ;) {
    try {
      await line.hover({ timeout: POINTED_AT_MS });
      await line.getByRole("button", { name: button, exact: true }).click({ timeout: POINTED_AT_MS });
      const pressed = await page.evaluate(lastPress);
      if (pressed === `${button} ${id}`) return;
      // What came in between the button's going down and up moved it away from under the pointer: nobody was asked.
      process.stderr.write(`Pressed once more: a click on "${button}" went to "${pressed}"\n`);
      throw new Error(`The click went to "${pressed}"`);
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
  }
}

/** In the page: notes on its root which button of which message a click reached. */
function notePresses(): void {
  const { dataset } = document.documentElement;
  if (dataset["pressed"] === undefined) {
    const note = ({ target }: Event): void => {
      const button = target instanceof Element ? target.closest("button") : null;
      dataset["pressed"] = `${button?.ariaLabel} ${button?.closest("article")?.dataset["messageId"]}`;
    };
    document.addEventListener("click", note, { capture: true });
  }
  dataset["pressed"] = "";
}

const lastPress = (): string | undefined => document.documentElement.dataset["pressed"];

/** In the page: what there is of a message and of editors. */
function standing(id: string): string {
  const line = document.querySelector(`article[data-message-id="${id}"]`);
  const editors = [...document.querySelectorAll<HTMLTextAreaElement>("textarea[data-editor]")];
  const told = editors.map(
    (area) => `${area.readOnly ? "read-only" : "open"} in ${area.closest("article")?.outerHTML}`,
  );
  return `${told.length} editors, ${told.join("; ")}; the message: ${line?.outerHTML ?? "none"}; ${document.activeElement?.outerHTML}`;
}
