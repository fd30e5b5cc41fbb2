/** Builds of the app that replace one another where one server serves them, as at a deployment. */
import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, inject } from "vitest";
import { removeFolder } from "../rig/folder.ts";
import { eventually } from "./eventually.ts";
import { setStage, type Stage } from "./stage.ts";

/** A worker of another build keeps all of that first. */
const INSTALLED_WITHIN_MS = 60_000;

export interface Deployments {
  readonly stage: Stage;
  /** For whatever else is built, removed at the end. */
  readonly folder: string;
  /** The pages of the build under test, which are served at first. */
  readonly built: string;
  /** From now on the files of this folder are there, and no others. */
  readonly deploy: (pages: string) => Promise<void>;
  /** From now on the Worker of this folder runs, on the data that are there, or the one under test where none is named. */
  readonly deployWorker: (worker?: string) => Promise<void>;
}

/** In place of `setStage`, once at the top of a file. */
export function setDeployments(): Deployments {
  const folder = mkdtempSync(join(tmpdir(), "causeway-deployments-"));
  const shared = inject("snapshot");
  cpSync(dirname(shared.config), folder, { recursive: true });
  const served = join(folder, "pages");
  const built = join(folder, "built");
  cpSync(served, built, { recursive: true });
  // What is set up first is taken away last: the server that serves it is gone by then.
  afterAll(() => removeFolder(folder));
  const stage = setStage({}, { config: join(folder, "wrangler.toml"), state: shared.state });
  let deployed = built;
  // Down meanwhile: a server that watches a folder whose files go may end over it.
  const replace = async (at: string, by: string): Promise<void> => {
    await stage.app.kill();
    removeFolder(at);
    cpSync(by, at, { recursive: true });
    await stage.app.start();
  };
  return {
    stage,
    folder,
    built,
    deploy: async (pages) => {
      if (pages === deployed) return;
      await replace(served, pages);
      deployed = pages;
    },
    deployWorker: (worker = join(dirname(shared.config), "worker")) => replace(join(folder, "worker"), worker),
  };
}

/** The page finds what was deployed since, and has it ready. */
export async function fetchUpdate(page: Page): Promise<void> {
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
  await eventually(
    () => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting?.state ?? null),
    INSTALLED_WITHIN_MS,
  ).toBe("installed");
}

export async function acceptUpdate(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("menuitem", { name: "Update and reload" }).click();
}
