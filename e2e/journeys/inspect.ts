/** Whether a screen fits, in every size and both schemes, and what axe finds serious in it; photographed on the way. */
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { eventually } from "./eventually.ts";
import { overflow } from "./layout.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
export const SIZES = [
  ["wide", 1280, 800],
  ["phone", 390, 844],
] as const;
export const SMALLEST = [["smallest", 320, 640]] as const;

/** Name, width and height; px. */
export type Size = readonly [string, number, number];

/** In every size and both schemes: photographs, measures, and asks axe. */
export async function inspect(page: Page, name: string, sizes: readonly Size[] = SIZES): Promise<void> {
  for (const [size, width, height] of sizes) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await photograph(page, `${name}-${size}-${colorScheme}`);
      // What is laid out in another way in another size takes a moment.
      await eventually(async () => [`${name}, ${size}`, await overflow(page)]).toEqual([`${name}, ${size}`, null]);
      const look = `${name}, ${size}, ${colorScheme}`;
      await eventually(async () => [look, ...(await faultsOf(page))]).toEqual([look]);
    }
  }
  await page.setViewportSize({ width: SIZES[0][1], height: SIZES[0][2] });
}

async function photograph(page: Page, name: string): Promise<void> {
  const folder = process.env["SCREENSHOTS"];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** What axe finds serious or critical; one line each. */
async function faultsOf(page: Page): Promise<string[]> {
  // By the debugger's own evaluation: the content security policy of the page stays as it is.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
  const violations = await page.evaluate(async (): Promise<readonly Violation[]> => {
    const { axe } = globalThis as unknown as {
      axe: { run: (options: object) => Promise<{ violations: Violation[] }> };
    };
    const { violations } = await axe.run({ resultTypes: ["violations"] });
    return violations.map(({ id, impact, nodes }) => ({ id, impact, nodes }));
  });
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 160)} (${failureSummary})`).join("; ")}`,
    );
}
