/** Whether a page still looks like one: nothing sticks out sideways, the timeline scrolls, the composer can be reached. */
import type { Page } from "playwright-core";
import { eventually } from "./eventually.ts";

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

/** Every step of the way from the newest message of #general up to the oldest. */
export async function scrollToOldest(page: Page, atEachStep: () => Promise<void>): Promise<void> {
  await page.getByRole("log").getByRole("article").first().waitFor();
  await page.getByRole("log").hover();
  await atRest(page);
  for (let isThere = false; !isThere;) {
    await atEachStep();
    isThere = await page.evaluate(isAtBeginning);
    if (isThere) continue;
    const before = await page.evaluate(placeInLog);
    await page.mouse.wheel(0, -600);
    // The browser takes its time to scroll, and at the top of what is here more has to come first.
    await eventually(() => page.evaluate(placeInLog)).not.toBe(before);
    await atRest(page);
  }
}

/** The list lays out what came into reach a frame or two later: by then nothing moves or comes any more. */
async function atRest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const look = (): string => {
      const log = document.querySelector("[role=log]");
      return `${log?.scrollTop} ${log?.scrollHeight} ${log?.querySelectorAll("article").length}`;
    };
    let last = "";
    for (let still = 0; still < 3; still = look() === last ? still + 1 : 0) {
      last = look();
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  });
}

function isAtBeginning(): boolean {
  const log = document.querySelector("[role=log]");
  return log !== null && log.scrollTop <= 0 && log.textContent.includes("This is the beginning of #general.");
}

function placeInLog(): string {
  const log = document.querySelector("[role=log]");
  return `${log?.scrollTop} ${log?.querySelector<HTMLElement>("[data-seq]")?.dataset["seq"]}`;
}
