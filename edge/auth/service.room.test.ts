import { describe, expect, it } from "vitest";
import * as v from "valibot";
import type { WorkspaceId } from "#protocol/ids.ts";
import type { RoomRef } from "#protocol/room-name.ts";
import { aboutWorkspace } from "#protocol/service.ts";
import { readSignedCall } from "../../party/engine/service-calls.ts";
import { deploy, SERVICE_SECRET } from "../../party/test/edge/deployment.ts";
import { callRoom, signedRequest } from "./service.ts";

const { env, rooms } = await deploy();
const room: RoomRef = { party: "workspace", workspace: "w1" as WorkspaceId };
const call = { method: "POST", action: "authorize?x=1", body: { user: "u", rooms: [] } } as const;

/** What the room's own check makes of a call. */
async function isTaken(request: Request, secret = SERVICE_SECRET, now = Date.now()): Promise<boolean> {
  const { pathname, search } = new URL(request.url);
  const token = request.headers.get("authorization")?.replace("Bearer ", "") ?? "";
  const signed = await readSignedCall(secret, token, { method: request.method, path: pathname + search }, now);
  return (await signed?.isFor(await request.clone().text())) ?? false;
}

describe("a service call", () => {
  it("is taken by a room as it was signed, for a minute", async () => {
    const request = await signedRequest(env, room, call);
    expect(new URL(request.url).pathname).toBe("/parties/workspace/w1/authorize");
    expect(await isTaken(request)).toBe(true);
    expect(await isTaken(request, SERVICE_SECRET, Date.now() + 120_000)).toBe(false);
  });

  it("is refused with another secret, method, path, query or body", async () => {
    const request = await signedRequest(env, room, call);
    const { headers, url } = request;
    const body = JSON.stringify(call.body);
    expect(await isTaken(request, "another-secret-of-some-length-0123456789")).toBe(false);
    const altered = [
      new Request(url, { method: "PUT", headers, body }),
      new Request(url.replace("w1", "w2"), { method: "POST", headers, body }),
      new Request(url.replace("authorize", "members"), { method: "POST", headers, body }),
      new Request(url.replace("x=1", "x=2"), { method: "POST", headers, body }),
      new Request(url, { method: "POST", headers, body: body.replace('"u"', '"v"') }),
      new Request(url, { method: "POST", headers }),
    ];
    for (const call of altered) expect(await isTaken(call)).toBe(false);
    expect(await isTaken(new Request(url, { method: "POST", headers, body }))).toBe(true);
  });

  it("goes over HTTPS to the rooms' own host where one is configured", async () => {
    const apart = { ...env, ROOMS_ORIGIN: "https://rooms.example" };
    const request = await signedRequest(apart, room, call);
    expect(request.url).toBe("https://rooms.example/parties/workspace/w1/authorize?x=1");
    expect(request.redirect).toBe("manual");
    expect(await isTaken(request)).toBe(true);
  });

  it("passes the room's own refusal on, with its code", async () => {
    const answer = await callRoom(env, room, { method: "GET", action: "about?user=u" }, aboutWorkspace);
    expect(answer).toEqual({ ok: false, error: { code: "not_found", detail: expect.any(String) } });
  });

  it.each(["unreachable", "breaks", "nonsense", "refuses-signature"] as const)(
    "is `upstream_unavailable` when the room %s",
    async (failing) => {
      rooms.failing = failing;
      const answer = await callRoom(
        env,
        room,
        { method: "GET", action: "about?user=u" },
        v.object({ name: v.string() }),
      );
      rooms.failing = null;
      expect(answer).toMatchObject({ ok: false, error: { code: "upstream_unavailable" } });
    },
  );
});
