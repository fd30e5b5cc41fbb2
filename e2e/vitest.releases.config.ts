/** `releases`: from an earlier commit of ours to this one, in use. Not part of `npm test`: see scripts/update-from.ts. */
import { fileURLToPath } from "node:url";
import { defineProject } from "vitest/config";

export default defineProject({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    name: "releases",
    include: ["e2e/releases/*.e2e.ts"],
    globalSetup: ["e2e/rig/setup.ts"],
    testTimeout: 240_000,
    hookTimeout: 90_000,
  },
});
