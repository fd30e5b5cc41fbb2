/** `unit`: what runs in plain Node: the contract, the engine, the client's store and sync, the scripts. */
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineProject } from "vitest/config";

export default defineProject({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    name: "unit",
    include: ["{party,edge,web,scripts,e2e,bench}/**/*.test.{ts,tsx}"],
    setupFiles: ["web/test/properties.ts"],
    // The runner leaves one processor to itself, and needs none: of two, half stands idle.
    maxWorkers: availableParallelism(),
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // All files at once, on a machine that may be slow: what is waited for comes in its own time.
    expect: { poll: { timeout: 15_000, interval: 10 } },
    exclude: ["**/*.room.test.ts", "**/*.restart.test.ts", "web/dist/**", "**/.tsbuild/**"],
  },
});
