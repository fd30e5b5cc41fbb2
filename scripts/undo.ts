/** Servers, folders and browsers of a script, taken away again however it ends. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onStop } from "./signals.ts";

type Undo = () => unknown;

/** Runs `body`; what it asked to be undone is undone in reverse: after it, after a failure, or when asked to stop. */
export async function withUndo<Value>(body: (undo: (step: Undo) => void) => Promise<Value>): Promise<Value> {
  const steps: Undo[] = [];
  const undoAll = async (): Promise<void> => {
    for (let step = steps.pop(); step !== undefined; step = steps.pop()) await step();
  };
  onStop(() => void undoAll().finally(() => process.exit(STOPPED)));
  try {
    return await body((step) => steps.push(step));
  } finally {
    await undoAll();
  }
}

/** An empty folder that goes with the script. @param name what for, as part of its name */
export function scratchFolder(undo: (step: Undo) => void, name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `causeway-${name}-`));
  // A process that is only just ending may still write.
  undo(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** What a shell makes of Ctrl-C. */
const STOPPED = 130;
