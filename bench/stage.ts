/**
 * What the benches of the timeline begin with: rooms in workerd itself, a team of many, and what they say: real lines
 * where `--from` names a file of them.
 */
import { parseArgs } from "node:util";
import { makeSnapshot } from "../e2e/rig/snapshot.ts";
import { startBuilt } from "../e2e/rig/workerd.ts";
import { readLines } from "../scripts/simulate/lines.ts";
import { inRoot } from "../scripts/paths.ts";
import { type Crowd, gather } from "./crowd.ts";
import { scratchFolder } from "../scripts/undo.ts";

export interface Stage extends Crowd {
  readonly url: string;
  readonly texts: readonly string[];
}

/** @param undo told how to take it down again */
export async function setStage(undo: (step: () => unknown) => void, count: number): Promise<Stage> {
  const { values } = parseArgs({ options: { from: { type: "string" } } });
  const folder = scratchFolder(undo, "bench");
  const app = await startBuilt(await makeSnapshot(folder), "with pages");
  undo(() => app.stop());
  const lines = await readLines(values.from ?? inRoot("scripts", "simulate", "lines.ndjson"), count);
  return { ...(await gather(app.url)), url: app.url, texts: lines.map(({ text }) => text) };
}
