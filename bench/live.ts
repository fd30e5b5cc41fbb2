/**
 * `npm run bench:live`: a channel that is open and live while 10,000 messages arrive, 200 a second. How long after the
 * last was sent it stands on screen, and what it costs the page; a tenth of them first, in the same run, so that what
 * grows with their number shows. In front of workerd itself. `--from <file>` takes real messages.
 */
import type { Page } from "playwright-core";
import { startBrowser } from "../e2e/rig/browser.ts";
import { channelPath } from "../e2e/journeys/rooms.ts";
import { withUndo } from "../scripts/undo.ts";
import { table } from "./report.ts";
import { setStage } from "./stage.ts";

const COUNT = 10_000;
const PER_SECOND = 200;
const WITHIN_MS = 180_000;
const MAX_LAG_MS = 1_000;
const MAX_NODES = 3_000;

interface Arrival {
  /** From the last message sent to the last message shown. */
  readonly lagMs: number;
  /** What long tasks took beyond 50 ms each. */
  readonly blockedMs: number;
  /** At most, at any frame. */
  readonly nodes: number;
  /** More than before, after a collection. */
  readonly heapMb: number;
}

const isKept = await withUndo(async (undo) => {
  const { url, team, say, texts } = await setStage(undo, COUNT);
  const rig = await startBrowser();
  undo(() => rig.close());
  const { context, page } = await rig.open();
  await team.people[0]?.signInto(context, url);
  await page.goto(new URL(channelPath(team), url).href);
  await page.waitForSelector('[role=status][data-state="live"]', { timeout: WITHIN_MS });
  await page.waitForSelector("[role=log]");

  const watch = async (count: number): Promise<Arrival> => {
    const last = `The last of ${count}.`;
    const before = await heapOf(page);
    const shown = lastShown(page, last);
    const sentAt = await say([...texts.slice(0, count - 1), last], PER_SECOND);
    const { at, blockedMs, nodes } = await shown;
    return { lagMs: at - sentAt, blockedMs, nodes, heapMb: (await heapOf(page)) - before };
  };
  const few = await watch(COUNT / 10);
  const many = await watch(COUNT);
  table(
    [`${PER_SECOND} messages a second`, "last shown after, ms", "blocked, ms", "DOM nodes", "heap, MB more"],
    [
      [`${COUNT / 10} of them`, ...cells(few)],
      [`${COUNT} of them`, ...cells(many)],
    ],
  );
  console.log(`Last shown: ${(many.lagMs / few.lagMs).toFixed(2)} x that of a tenth (within ${MAX_LAG_MS} ms)`);
  console.log(`DOM nodes: ${many.nodes} (at most ${MAX_NODES})`);
  return many.lagMs <= MAX_LAG_MS && many.nodes <= MAX_NODES;
});
process.exit(isKept ? 0 : 1);

function cells({ lagMs, blockedMs, nodes, heapMb }: Arrival): string[] {
  return [lagMs.toFixed(0), blockedMs.toFixed(0), String(nodes), heapMb.toFixed(1)];
}

/** The page itself looks, every frame, and takes the time when what it found has been painted. */
function lastShown(page: Page, text: string): Promise<{ at: number; blockedMs: number; nodes: number }> {
  return page.evaluate(
    ({ text, withinMs }) =>
      new Promise((resolve, reject) => {
        const until = performance.now() + withinMs;
        let [blockedMs, nodes] = [0, 0];
        const tasks = new PerformanceObserver((list) => {
          for (const { duration } of list.getEntries()) blockedMs += duration - 50;
        });
        tasks.observe({ type: "longtask" });
        const look = (): void => {
          nodes = Math.max(nodes, document.getElementsByTagName("*").length);
          // What others said at the same moment may stand below it.
          const newest = [...document.querySelectorAll<HTMLElement>("[role=log] article")].slice(-20);
          const last = newest.find((article) => article.textContent.includes(text));
          if (last !== undefined && last.getBoundingClientRect().bottom <= innerHeight) {
            requestAnimationFrame(() => {
              tasks.disconnect();
              resolve({ at: Date.now(), blockedMs, nodes });
            });
          } else if (performance.now() > until) reject(new Error(`never shown: ${text}`));
          else requestAnimationFrame(look);
        };
        look();
      }),
    { text, withinMs: WITHIN_MS },
  );
}

async function heapOf(page: Page): Promise<number> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("HeapProfiler.collectGarbage");
  const { usedSize } = await cdp.send("Runtime.getHeapUsage");
  await cdp.detach();
  return usedSize / 1_000_000;
}
