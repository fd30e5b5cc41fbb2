import { describe, expect, it } from "vitest";
import { deploy, type Deployment } from "../party/test/edge/deployment.ts";
import { logged } from "../party/test/edge/log.ts";
import { Person } from "../party/test/edge/person.ts";
import type { Env } from "./env.ts";

/** A deployment whose database fails, and what it wrote to its log meanwhile. */
async function broken(
  call: (deployment: Deployment) => Promise<Response>,
): Promise<{ answer: Response; log: string[] }> {
  const failing = {
    prepare: () => {
      throw new Error('D1_ERROR: no such table near "ana@mail.example"', {
        cause: new Error("disk of node 10.0.0.7 is gone"),
      });
    },
    batch: () => Promise.reject(new Error("D1_ERROR: network")),
  } as unknown as Env["DB"];
  const deployment = await deploy({ DB: failing });
  return logged(() => call(deployment));
}

describe("the error boundary", () => {
  it.each<[string, (deployment: Deployment) => Promise<Response>]>([
    ["an invitation is looked up", ({ fetch }) => fetch("/api/invitations/Sup3rSecretCode0123456789")],
    [
      "somebody signs up",
      ({ fetch }) =>
        fetch("/api/auth/sign-up/email", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ name: "Ana", email: "ana@mail.example", password: "tide over the harbour wall" }),
        }),
    ],
    [
      "somebody signs in",
      ({ fetch }) =>
        fetch("/api/auth/sign-in/email", {
          method: "POST",
          headers: { "content-type": "application/json", "cf-connecting-ip": "198.51.100.7" },
          body: JSON.stringify({ email: "ana@mail.example", password: "tide over the harbour wall" }),
        }),
    ],
  ])("answers with a reference and logs one line with it when the database fails while %s", async (_what, call) => {
    const { answer, log } = await broken(call);
    expect(answer.status).toBe(503);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    const text = await answer.text();
    const { reference } = JSON.parse(text) as { reference: string };
    expect(JSON.parse(text)).toMatchObject({ code: "upstream_unavailable", status: 503 });
    expect(text).not.toMatch(/D1|table|disk|\bat /);
    expect(log).toHaveLength(1);
    const line = JSON.parse(log[0] ?? "") as { reference: string; route: string };
    expect(line.reference).toBe(reference);
    expect(line.route).toMatch(/^\/api\/(invitations\/:code|auth\/sign-(up|in)\/email)$/);
    expect(log[0]).not.toMatch(/ana@|harbour|Sup3r|198\.51|10\.0\.0/);
  });

  it.each(["/api/me", "/api/auth/get-session", "/api/rooms/auth"])(
    "never takes a database that fails for the end of a session: %s",
    async (path) => {
      const ana = await Person.signedUp(await deploy());
      const { answer } = await broken((deployment) => {
        const there = ana.at(deployment);
        return path === "/api/rooms/auth" ? there.raw(path, { method: "POST" }) : there.raw(path);
      });
      expect(answer.status).toBe(503);
    },
  );
});
