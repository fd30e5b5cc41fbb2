/** Whether a page still looks like one: nothing sticks out sideways, the timeline scrolls, the composer can be reached. */
import type { Page } from "playwright-core";

/** The widest thing that sticks out of the window, or null. */
export function overflow(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const page = document.scrollingElement ?? document.documentElement;
    if (page.scrollWidth <= innerWidth) return null;
    const widest = [...document.body.querySelectorAll("*")].sort(
      (a, b) => b.getBoundingClientRect().right - a.getBoundingClientRect().right,
    )[0];
    return `${page.scrollWidth} px on ${innerWidth} px: ${widest?.outerHTML.slice(0, 200)}`;
  });
}

/** Every step of the way from the newest message up to the oldest that is there. */
export async function scrollToOldest(page: Page, atEachStep: () => Promise<void>): Promise<void> {
  const log = page.getByRole("log");
  await log.hover();
  for (let before = Number.NaN; ;) {
    await atEachStep();
    await page.mouse.wheel(0, -600);
    const first = await page.evaluate(async () => {
      // Two frames: the list lays out what came into reach.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const log = document.querySelector("[role=log]");
      return log === null
        ? 0
        : log.scrollTop + Number(log.querySelector<HTMLElement>("[data-seq]")?.dataset["seq"]) * 1e6;
    });
    if (first === before) return;
    before = first;
  }
}
