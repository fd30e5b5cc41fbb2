// A captive portal may answer anything to anything, JSON too: no call of the account takes that for its own answer.
import { describe, expect, it } from "vitest";
import type { WorkspaceId } from "#protocol/ids.ts";
import { createEdge, type Edge } from "./edge.ts";

const CALLS: readonly (readonly [string, (edge: Edge) => Promise<{ readonly ok: boolean }>])[] = [
  ["config", (edge) => edge.config()],
  ["me", (edge) => edge.me()],
  ["sign-up", (edge) => edge.signUp({ name: "Ana", email: "ana@example.org", password: "correct horse battery" })],
  ["sign-in", (edge) => edge.signIn({ email: "ana@example.org", password: "correct horse battery" })],
  ["sign-out", (edge) => edge.signOut()],
  ["a workspace", (edge) => edge.createWorkspace({ id: "w" as WorkspaceId, name: "Harbour" })],
  ["an invitation", (edge) => edge.invitation("code")],
  ["inviting", (edge) => edge.invite("w" as WorkspaceId, {})],
  ["joining", (edge) => edge.accept("code")],
];

const PORTALS: readonly (readonly [string, () => Response])[] = [
  ["a page", () => new Response("<h1>Terms</h1>", { headers: { "content-type": "text/html" } })],
  [
    "a page with 401",
    () => new Response("<h1>Terms</h1>", { status: 401, headers: { "content-type": "text/html; charset=utf-8" } }),
  ],
  ["511", () => Response.json({}, { status: 511 })],
  ["a redirect", () => new Response(null, { status: 302, headers: { location: "http://portal.invalid/" } })],
  ["a plain OK", () => new Response("OK", { headers: { "content-type": "text/plain" } })],
  ["nothing", () => new Response(null, { status: 204 })],
  ["an empty object", () => Response.json({})],
  ["an object of its own", () => Response.json({ success: false, user: null, ok: true })],
];

describe("[AU2] behind a captive portal", () => {
  it.each(PORTALS)("that answers with %s every call has no network, and no other answer", async (_name, answer) => {
    const timers = { set: () => 0, clear: () => undefined };
    const edge = createEdge({ fetch: async () => answer(), origin: "http://ship.example", timers }, () => "/api");
    for (const [what, call] of CALLS)
      expect({ what, ...(await call(edge)) }).toMatchObject({ what, ok: false, error: { code: "offline" } });
  });
});
