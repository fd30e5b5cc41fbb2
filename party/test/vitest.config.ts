/** `rooms`: rooms and edge inside workerd, with real Durable Objects, D1 and R2. State is kept per test file. */
import { fileURLToPath } from "node:url";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineProject } from "vitest/config";
import { makeSecrets } from "../../scripts/secrets.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

// Where secrets come from is told at every start otherwise.
process.env["WRANGLER_LOG"] ??= "warn";

export default defineProject({
  root,
  plugins: [
    cloudflareTest({
      wrangler: { configPath: `${root}wrangler.toml` },
      miniflare: {
        // Keys of this run, whatever the clone's own .dev.vars hold.
        bindings: { ...makeSecrets(), TEST_MIGRATIONS: await readD1Migrations(`${root}edge/db/migrations`) },
      },
    }),
  ],
  test: {
    name: "rooms",
    include: ["{party,edge}/**/*.room.test.ts"],
    exclude: ["**/.tsbuild/**"],
    // The first call of a file loads the whole Worker, which takes its time on a busy machine.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
