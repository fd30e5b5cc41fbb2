/** `restart`: the built Worker in plain miniflare, stopped and started again on the same data. */
import { fileURLToPath } from "node:url";
import { defineProject } from "vitest/config";

export default defineProject({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    name: "restart",
    include: ["{party,edge}/**/*.restart.test.ts"],
    exclude: ["**/.tsbuild/**"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
