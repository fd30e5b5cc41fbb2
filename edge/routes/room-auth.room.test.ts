import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JSONWebKeySet, type JWTPayload } from "jose";
import { describe, expect, it, vi } from "vitest";
import { authResponse } from "#protocol/http.ts";
import { readClaims } from "#protocol/token.ts";
import * as v from "valibot";
import { deploy, newRoomKeys, ORIGIN, type Deployment } from "../../party/test/edge/deployment.ts";
import { Person } from "../../party/test/edge/person.ts";
import { refusing } from "../../party/test/edge/refusing.ts";

const deployment = await deploy();

async function verified(token: string, on: Deployment = deployment): Promise<JWTPayload> {
  const keys = await (await on.fetch("/.well-known/jwks.json")).json<JSONWebKeySet>();
  const { payload } = await jwtVerify(token, createLocalJWKSet(keys), { issuer: "causeway", audience: "causeway" });
  return payload;
}

async function ownerWithWorkspace(
  on: Deployment = deployment,
): Promise<{ ana: Person; w: string; workspace: string; general: string }> {
  const ana = await Person.signedUp(on);
  const { id, general } = await ana.createWorkspace("Harbour");
  return { ana, w: id, workspace: `workspace:${id}`, general: `channel:${id}_${general}` };
}

describe("the authorisation endpoint", () => {
  it("[AU1] answers a member with a token that the published keys verify", async () => {
    const { ana, w, workspace, general } = await ownerWithWorkspace();
    const { status, headers, body } = await ana.post("/api/rooms/auth", {
      room: general,
      rooms: [general, workspace],
      reason: "connect",
      v: 1,
    });
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store");
    const { token, refused } = v.parse(authResponse, body);
    expect(refused).toEqual({});
    const { alg, kid } = decodeProtectedHeader(token);
    expect({ alg, kid }).toEqual({ alg: "ES256", kid: "test-1" });

    const claims = await verified(token);
    const me = (await ana.get("/api/me")).body["user"] as { id: string };
    const perms = ["read", "write", "pin", "manage"];
    expect(claims).toEqual({
      iss: "causeway",
      aud: "causeway",
      sub: me.id,
      ws: w,
      perms: { [workspace]: perms, [general]: perms },
      info: { name: "Ana" },
      iat: expect.any(Number),
      exp: Number(claims.iat) + 3_600,
      jti: expect.any(String),
      sid: expect.any(String),
    });
    expect(readClaims(claims, Date.now() / 1_000).ok).toBe(true);
  });

  it("understands `room` alone, from a cookie or a bearer session", async () => {
    const { ana, workspace } = await ownerWithWorkspace();
    expect((await ana.post("/api/rooms/auth", { room: workspace })).status).toBe(200);
    const { body } = await ana.signIn();
    ana.forgetCookies();
    const bearer = { authorization: `Bearer ${String(body["token"])}` };
    expect((await ana.post("/api/rooms/auth", { room: workspace }, bearer)).status).toBe(200);
  });

  it("takes identity from the session and never from the body", async () => {
    const { ana, workspace } = await ownerWithWorkspace();
    const bo = await Person.signedUp(deployment, "Bo");
    const me = (await ana.get("/api/me")).body["user"] as { id: string };
    const claimed = { room: workspace, user: me.id, sub: me.id, token: "x", info: { name: "Ana" } };
    expect((await bo.post("/api/rooms/auth", claimed)).status).toBe(403);
    expect((await new Person(deployment).post("/api/rooms/auth", claimed)).status).toBe(401);
  });

  it("[AU3] answers nobody with 401 and a code", async () => {
    const answer = await new Person(deployment).post("/api/rooms/auth", { room: "workspace:W" });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(answer.body).toMatchObject({ code: "unauthenticated" });
  });

  it("[AU4] grants what may be had and names what may not", async () => {
    const { ana, w, workspace, general } = await ownerWithWorkspace();
    deployment.rooms.workspaces.get(w)?.channels.set("secret", new Set());
    const rooms = [
      workspace,
      general,
      `channel:${w}_secret`,
      `channel:${w}_nowhere`,
      "channel:",
      "__proto__",
      "workspace:another",
    ];
    const { status, body } = await ana.post("/api/rooms/auth", { room: workspace, rooms });
    expect(status).toBe(200);
    const claims = await verified(String(body["token"]));
    expect(Object.keys(claims["perms"] as object)).toEqual([workspace, general]);
    const refused = body["refused"] as Record<string, { code: string; reason: string }>;
    expect(Object.keys(refused).toSorted()).toEqual(rooms.slice(2).toSorted());
    // A channel that one may not see and one that isn't there look the same.
    expect(refused[`channel:${w}_secret`]).toEqual(refused[`channel:${w}_nowhere`]);
    expect(refused[`channel:${w}_secret`]).toMatchObject({ code: "forbidden" });
    expect(refused["workspace:another"]).toMatchObject({
      code: "invalid",
      reason: expect.stringContaining("one workspace"),
    });
  });

  it("[AU4] answers 403 with `refused` when nothing is granted, the same for a workspace that isn't there", async () => {
    const { workspace } = await ownerWithWorkspace();
    const bo = await Person.signedUp(deployment, "Bo");
    const foreign = await bo.post("/api/rooms/auth", { room: workspace });
    const unknown = await bo.post("/api/rooms/auth", { room: "workspace:nowhere" });
    expect(foreign.status).toBe(403);
    expect(foreign.body).toMatchObject({
      code: "forbidden",
      refused: { [workspace]: { code: "forbidden", reason: expect.any(String) } },
    });
    expect(JSON.stringify(foreign.body).replaceAll(workspace, "R")).toBe(
      JSON.stringify(unknown.body).replaceAll("workspace:nowhere", "R"),
    );
    expect(foreign.body["token"]).toBeUndefined();
  });

  it("[AU4] answers a workspace whose room isn't there like one that the person isn't in", async () => {
    const { ana, w, workspace } = await ownerWithWorkspace();
    deployment.rooms.workspaces.delete(w);
    const answer = await ana.post("/api/rooms/auth", { room: workspace });
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({ code: "forbidden", refused: { [workspace]: { code: "forbidden" } } });
  });

  it("wakes no room for a workspace that was never made", async () => {
    const bo = await Person.signedUp(deployment, "Bo");
    const before = deployment.rooms.calls.length;
    await bo.post("/api/rooms/auth", { room: "workspace:nowhere" });
    expect(deployment.rooms.calls.length).toBe(before);
  });

  it("[AU5] answers 429 with `Retry-After` to a session that asks without end", async () => {
    const limited = await deploy({ AUTH_LIMIT: { limit: () => Promise.resolve({ success: false }) } });
    const { ana, workspace } = await ownerWithWorkspace(limited);
    const answer = await ana.post("/api/rooms/auth", { room: workspace });
    expect(answer.status).toBe(429);
    expect(answer.headers.get("retry-after")).toBe("10");
    expect(answer.body).toMatchObject({ code: "rate_limited" });
  });

  it.each<[string, unknown]>([
    ["no room", { rooms: ["workspace:W"] }],
    ["a room that is a number", { room: 1 }],
    ["rooms that aren't a list", { room: "workspace:W", rooms: "workspace:W" }],
    ["21 rooms", { room: "workspace:W", rooms: Array.from({ length: 21 }, (_, at) => `channel:W_${at}`) }],
    ["a reason of its own", { room: "workspace:W", reason: "because" }],
    ["a list", ["workspace:W"]],
    ["text", '"workspace:W"'],
    ["half of a JSON", '{"room":'],
  ])("[AU6] answers 422 with a code to %s", async (_what, body) => {
    const ana = await Person.signedUp(deployment);
    const answer = await ana.post("/api/rooms/auth", body);
    expect(answer.status).toBe(422);
    expect(["invalid", "too_many"]).toContain(answer.body["code"]);
  });

  it("[AU7] answers 503 when the workspace room can't be reached, and tells nothing of why", async () => {
    const { ana, workspace } = await ownerWithWorkspace();
    for (const failing of ["unreachable", "breaks", "nonsense"] as const) {
      deployment.rooms.failing = failing;
      const answer = await ana.post("/api/rooms/auth", { room: workspace });
      deployment.rooms.failing = null;
      expect(answer.status).toBe(503);
      expect(answer.body).toMatchObject({ code: "upstream_unavailable" });
      expect(JSON.stringify(answer.body)).not.toMatch(/gone|stack|line/);
    }
  });

  it("gives tokens of the configured lifetime, within 60 s and 1 h", async () => {
    for (const [configured, lifetime] of [
      ["5", 60],
      ["90", 90],
      ["99999", 3_600],
    ] as const) {
      const on = await deploy({ ROOM_TOKEN_SECONDS: configured });
      const { ana, workspace } = await ownerWithWorkspace(on);
      const { body } = await ana.post("/api/rooms/auth", { room: workspace });
      const { exp = 0, iat = 0 } = await verified(String(body["token"]), on);
      expect(exp - iat).toBe(lifetime);
    }
  });

  it("signs with the first key and publishes all, never a private part", async () => {
    const on = await deploy({ ROOM_KEYS: await newRoomKeys("new", "old") });
    const { ana, workspace } = await ownerWithWorkspace(on);
    const { body } = await ana.post("/api/rooms/auth", { room: workspace });
    expect(decodeProtectedHeader(String(body["token"])).kid).toBe("new");
    const published = await (await on.fetch("/.well-known/jwks.json")).json<JSONWebKeySet>();
    expect(published.keys.map((key) => key.kid)).toEqual(["new", "old"]);
    for (const key of published.keys)
      expect(Object.keys(key).toSorted()).toEqual(["alg", "crv", "kid", "kty", "use", "x", "y"]);
    await verified(String(body["token"]), on);
  });

  it("keeps `info` under 1 KB by leaving out a picture that is too long", async () => {
    const { ana, workspace } = await ownerWithWorkspace();
    const picture = async (image: string) => {
      await deployment.env.DB.prepare(`UPDATE "user" SET "image" = ? WHERE "email" = ?`).bind(image, ana.email).run();
      const { body } = await ana.post("/api/rooms/auth", { room: workspace });
      return (await verified(String(body["token"])))["info"];
    };
    expect(await picture("/api/files/a.png")).toEqual({ name: "Ana", picture: "/api/files/a.png" });
    expect(await picture("x".repeat(2_000))).toEqual({ name: "Ana" });
  });

  it("follows what the room says about somebody's role in their own list", async () => {
    const { ana, w, workspace } = await ownerWithWorkspace();
    const me = (await ana.get("/api/me")).body["user"] as { id: string };
    const members = deployment.rooms.workspaces.get(w)?.members;
    members?.set(me.id, { name: "Ana", role: "admin" });
    await ana.post("/api/rooms/auth", { room: workspace });
    expect((await ana.get("/api/me")).body["workspaces"]).toMatchObject([{ id: w, role: "admin" }]);
    members?.delete(me.id);
    expect((await ana.post("/api/rooms/auth", { room: workspace })).status).toBe(403);
    expect((await ana.get("/api/me")).body["workspaces"]).toEqual([]);
    // Let in again: nothing but their own list could lead them back to its room.
    members?.set(me.id, { name: "Ana", role: "member" });
    expect((await ana.get("/api/me")).body["workspaces"]).toMatchObject([{ id: w, role: "member" }]);
  });

  it("[AU12] dates a token before its rights were looked up, so that what is denied meanwhile meets it", async () => {
    const { ana, workspace } = await ownerWithWorkspace();
    // The room has answered; somebody's role ends while the edge still notes what it said.
    const answer = deployment.rooms.answer.bind(deployment.rooms);
    let answeredAt = 0;
    const slow = vi.spyOn(deployment.rooms, "answer").mockImplementation(async (id, request) => {
      const answered = await answer(id, request);
      answeredAt = Math.floor(Date.now() / 1_000);
      await new Promise((resolve) => setTimeout(resolve, 1_050));
      return answered;
    });
    const { body } = await ana.post("/api/rooms/auth", { room: workspace });
    slow.mockRestore();
    expect((await verified(String(body["token"]))).iat).toBeLessThanOrEqual(answeredAt);
  });

  it("gives a token where the list can't be written, and notes the role the next time", async () => {
    const { ana, w, workspace } = await ownerWithWorkspace();
    const me = (await ana.get("/api/me")).body["user"] as { id: string };
    deployment.rooms.workspaces.get(w)?.members.set(me.id, { name: "Ana", role: "admin" });
    const ask = () => ana.post("/api/rooms/auth", { room: workspace });
    expect((await refusing(deployment.env.DB, `INSERT INTO "workspaceMember"`, ask)).status).toBe(200);
    expect((await ana.get("/api/me")).body["workspaces"]).toMatchObject([{ id: w, role: "owner" }]);
    await ask();
    expect((await ana.get("/api/me")).body["workspaces"]).toMatchObject([{ id: w, role: "admin" }]);
  });

  it("answers pages on named origins, and no others", async () => {
    const named = "https://pages.example";
    const on = await deploy({ ALLOWED_ORIGINS: `${named}, https://other.example` });
    const { ana, workspace } = await ownerWithWorkspace(on);
    const { body } = await ana.signIn();
    const bearer = { authorization: `Bearer ${String(body["token"])}` };
    ana.forgetCookies();
    const preflight = await on.fetch("/api/rooms/auth", {
      method: "OPTIONS",
      headers: {
        origin: named,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe(named);
    expect(preflight.headers.get("access-control-allow-headers")).toContain("authorization");
    const granted = await ana.post("/api/rooms/auth", { room: workspace }, { ...bearer, origin: named });
    expect(granted.status).toBe(200);
    expect(granted.headers.get("access-control-allow-origin")).toBe(named);
    expect(granted.headers.get("vary")).toContain("Origin");
    // The page can read what went wrong, too.
    const unknown = await ana.post("/api/rooms/auth", { room: workspace }, { origin: named });
    expect(unknown.headers.get("access-control-allow-origin")).toBe(named);

    const foreign = await ana.post(
      "/api/rooms/auth",
      { room: workspace },
      { ...bearer, origin: "https://evil.example" },
    );
    expect(foreign.status).toBe(422);
    expect(foreign.headers.get("access-control-allow-origin")).toBeNull();
    const own = await ana.post("/api/rooms/auth", { room: workspace }, { ...bearer, origin: ORIGIN });
    expect(own.headers.get("access-control-allow-origin")).toBeNull();
  });
});
