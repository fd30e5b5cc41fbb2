/**
 * `npm run bench:rows`: storage rows written for each post, all told: in the channel room, its bump to the workspace
 * room, the author's read position, index pages and alarms. The built Worker in workerd, counted around its storage.
 */
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import * as v from "valibot";
import { BUMP_COMBINE_MS, BUMP_LAZY_MS } from "#protocol/limits.ts";
import { launchApp } from "../e2e/rig/app.ts";
import { makeTeam } from "../e2e/rig/people.ts";
import { makeSnapshot, type Snapshot } from "../e2e/rig/snapshot.ts";
import { Line } from "../e2e/journeys/rooms.ts";
import { inRoot } from "../scripts/paths.ts";
import { scratchFolder, withUndo } from "../scripts/undo.ts";
import { table } from "./report.ts";

const MAX_ROWS = 4.2;
/** Several index pages (64 revs), so that they count with their share. */
const POSTS = 192;
const QUIET_POSTS = 64;

const rowsSoFar = v.object({ workspace: v.optional(v.number(), 0), channel: v.optional(v.number(), 0) });
type Rows = v.InferOutput<typeof rowsSoFar>;

const isKept = await withUndo(async (undo) => {
  const folder = scratchFolder(undo, "bench");
  const app = await launchApp(countingSnapshot(folder, await makeSnapshot(folder)));
  undo(() => app.stop());
  const team = await makeTeam(app.url, ["Mara", "Jonas", "Tilde", "Okoye"]);
  const lines = team.people.map((person) => new Line(person, team.workspace.id));
  const read = async (): Promise<Rows> =>
    v.parse(rowsSoFar, await (await fetch(new URL("/bench/rows", app.url))).json());

  /** Rows written from the first post until nothing more is written for them. */
  const measure = async (posts: number, everyMs: number): Promise<Rows> => {
    const before = await settled(read);
    for (let at = 0; at < posts; at += 1) {
      const begun = performance.now();
      await lines[at % lines.length]?.post(team.general, [`post ${at}`]);
      await after(Math.max(0, begun + everyMs - performance.now()));
    }
    const now = await settled(read);
    return { workspace: (now.workspace - before.workspace) / posts, channel: (now.channel - before.channel) / posts };
  };

  for (const line of lines) await line.post(team.general, ["good morning"]);
  const quiet = await measure(QUIET_POSTS, BUMP_COMBINE_MS * 1.2);
  const busy = await measure(POSTS, 50);
  table(
    ["rows written for each post", "channel", "workspace", "all told"],
    [
      [`one by one, ${QUIET_POSTS} posts`, ...cells(quiet)],
      [`in a lively channel, ${POSTS} posts`, ...cells(busy)],
    ],
  );
  const worst = Math.max(sum(quiet), sum(busy));
  console.log(`At most ${worst.toFixed(2)} rows for each post (at most ${MAX_ROWS})`);
  return worst <= MAX_ROWS;
});
process.exit(isKept ? 0 : 1);

/** Late bumps and alarms belong to what caused them: waits until a whole lazy interval has passed without a write. */
async function settled(read: () => Promise<Rows>): Promise<Rows> {
  for (let rows = await read(); ;) {
    await after(BUMP_LAZY_MS * 1.1);
    const later = await read();
    if (sum(later) === sum(rows)) return later;
    rows = later;
  }
}

function sum({ workspace, channel }: Rows): number {
  return workspace + channel;
}

function cells(rows: Rows): string[] {
  return [rows.channel, rows.workspace, sum(rows)].map((value) => value.toFixed(2));
}

function countingSnapshot(folder: string, snapshot: Snapshot): Snapshot {
  const config = join(folder, "wrangler-counting.toml");
  copyFileSync(inRoot("bench", "counting-worker.js"), join(folder, "worker", "counting-worker.js"));
  const toml = readFileSync(snapshot.config, "utf8").replace("worker/worker.js", "worker/counting-worker.js");
  writeFileSync(config, `${toml}\n[[rules]]\ntype = "ESModule"\nglobs = ["**/*.js"]\n`);
  return { ...snapshot, config };
}
