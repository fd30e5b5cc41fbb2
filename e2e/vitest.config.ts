/** `browser`: real Chromium against a real server. */
import { fileURLToPath } from "node:url";
import { defineProject } from "vitest/config";

export default defineProject({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    name: "browser",
    include: ["e2e/*.e2e.ts"],
    globalSetup: ["e2e/rig/setup.ts"],
    setupFiles: ["e2e/rig/leave-out.ts"],
    // Mostly they wait for silence and for pauses to end: two side by side.
    maxWorkers: 2,
    testTimeout: 150_000,
    hookTimeout: 90_000,
  },
});
