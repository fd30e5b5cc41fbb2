import { env } from "cloudflare:test";
import { getMigrations } from "better-auth/db/migration";
import { describe, expect, it } from "vitest";
import { deploy } from "../../party/test/edge/deployment.ts";
import { accountsFor } from "../auth/accounts.ts";

const deployment = await deploy();

describe("the migrations", () => {
  it("give the account library every table and column it asks for", async () => {
    const { options } = accountsFor(new Request("https://chat.example"), deployment.env);
    const { toBeCreated, toBeAdded } = await getMigrations(options);
    expect({ toBeCreated, toBeAdded }).toEqual({ toBeCreated: [], toBeAdded: [] });
  });

  it("are numbered without a gap", () => {
    const names = env.TEST_MIGRATIONS.map(({ name }) => name);
    const numbers = names.map((name) => Number(/^(\d{4})-[a-z0-9-]+\.sql$/.exec(name)?.[1]));
    expect(numbers).toEqual(names.map((_, at) => at + 1));
  });

  it("can be applied again without harm", async () => {
    await expect(deploy()).resolves.toBeDefined();
  });
});
