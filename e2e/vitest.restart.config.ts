/** `restart`: the built Worker in plain miniflare, stopped and started again on the same data. */
import { fileURLToPath } from "node:url";
import { defineProject } from "vitest/config";

// Where secrets come from is told at every start otherwise.
process.env["WRANGLER_LOG"] ??= "warn";

export default defineProject({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    name: "restart",
    include: ["e2e/**/*.restart.test.ts"],
    globalSetup: ["e2e/rig/setup.ts"],
    // Each starts a server or two: side by side they only wait for one another.
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
