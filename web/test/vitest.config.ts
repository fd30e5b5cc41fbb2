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
    // Half of what they do is waiting: of two on two processors each stood idle for longer than it worked.
    maxWorkers: 2 * availableParallelism(),
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // All files at once, on a machine that may be slow: what is waited for comes in its own time.
    expect: { poll: { timeout: 15_000, interval: 10 } },
    exclude: ["**/*.room.test.ts", "**/*.restart.test.ts", "web/dist/**", "**/.tsbuild/**"],
  },
});
