/** Vitest's global setup of the browser tests: one build for all files. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { removeFolder } from "./folder.ts";
import { makeSnapshot, SNAPSHOT, snapshotIn, type Snapshot } from "./snapshot.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly snapshot: Snapshot;
  }
}

export async function setup(project: TestProject): Promise<() => void> {
  const made = process.env[SNAPSHOT];
  if (made) {
    project.provide("snapshot", snapshotIn(made));
    return () => undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), "causeway-e2e-"));
  const remove = (): void => removeFolder(folder);
  try {
    project.provide("snapshot", await makeSnapshot(folder));
  } catch (error) {
    remove();
    throw error;
  }
  return remove;
}
