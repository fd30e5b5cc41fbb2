import { describe, expect, it } from "vitest";
import type { Role } from "#protocol/roles.ts";
import { deploy, ORIGIN } from "../../party/test/edge/deployment.ts";
import { logged } from "../../party/test/edge/log.ts";
import { Person } from "../../party/test/edge/person.ts";
import { refusing } from "../../party/test/edge/refusing.ts";

const deployment = await deploy();
const DAY_MS = 24 * 3_600_000;

async function workspaceOf(owner: Person): Promise<{ id: string; general: string }> {
  return owner.createWorkspace("Harbour");
}

async function invite(by: Person, workspace: string, body: Record<string, unknown> = {}): Promise<string> {
  const { status, body: made } = await by.post(`/api/workspaces/${workspace}/invitations`, body);
  if (status !== 201) throw new Error(`Inviting answered ${status}`);
  return String(made["code"]);
}

describe("an invitation", () => {
  it("holds for 7 days and 100 uses, by a link to the page, and is kept as a hash only", async () => {
    const ana = await Person.signedUp(deployment);
    const { id } = await workspaceOf(ana);
    const { status, body } = await ana.post(`/api/workspaces/${id}/invitations`);
    expect(status).toBe(201);
    const code = String(body["code"]);
    expect(code).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(body).toEqual({ code, url: `${ORIGIN}/join/${code}`, expiresAt: expect.any(Number), usesLeft: 100 });
    expect(Number(body["expiresAt"]) - Date.now()).toBeCloseTo(7 * DAY_MS, -5);
    const { results } = await deployment.env.DB.prepare(`SELECT * FROM "invitation"`).all();
    expect(JSON.stringify(results)).not.toContain(code);
  });

  it("shows workspace, inviter and members before asking for anything", async () => {
    const ana = await Person.signedUp(deployment);
    const code = await invite(ana, (await workspaceOf(ana)).id, { role: "guest" });
    const shown = await deployment.fetch(`/api/invitations/${code}`);
    expect(shown.status).toBe(200);
    expect(await shown.json()).toEqual({
      workspace: { name: "Harbour", icon: null },
      invitedBy: "Ana",
      members: 1,
      role: "guest",
    });
  });

  it("lets somebody in once, however often it is accepted", async () => {
    const ana = await Person.signedUp(deployment);
    const { id, general } = await workspaceOf(ana);
    const code = await invite(ana, id, { uses: 2, channels: [general] });
    const bo = await Person.signedUp(deployment, "Bo");
    const first = await bo.post(`/api/invitations/${code}/accept`);
    expect(first.status).toBe(200);
    expect(first.body).toEqual({ workspace: { id, slug: expect.any(String), name: "Harbour" }, role: "member" });
    expect((await bo.post(`/api/invitations/${code}/accept`)).body).toEqual(first.body);
    expect((await bo.get("/api/me")).body["workspaces"]).toMatchObject([{ id, role: "member" }]);
    // The owner is in already: accepting changes nothing and isn't counted either.
    expect((await ana.post(`/api/invitations/${code}/accept`)).body).toMatchObject({ role: "owner" });

    expect((await (await Person.signedUp(deployment, "Cy")).post(`/api/invitations/${code}/accept`)).status).toBe(200);
    const late = await (await Person.signedUp(deployment, "Di")).post(`/api/invitations/${code}/accept`);
    expect(late.status).toBe(410);
    expect(late.body).toMatchObject({ code: "invite_used" });
    expect((await bo.post(`/api/invitations/${code}/accept`)).status).toBe(200);
  });

  it("lets in no more than it may when many come at once", async () => {
    const ana = await Person.signedUp(deployment);
    const { id } = await workspaceOf(ana);
    const code = await invite(ana, id, { uses: 2 });
    const crowd = await Promise.all(Array.from({ length: 5 }, (_, at) => Person.signedUp(deployment, `P${at}x`)));
    const answers = await Promise.all(crowd.map((person) => person.post(`/api/invitations/${code}/accept`)));
    expect(answers.map((answer) => answer.status).toSorted((one, other) => one - other)).toEqual([
      200, 200, 410, 410, 410,
    ]);
    expect(deployment.rooms.workspaces.get(id)?.members.size).toBe(3);
  });

  it("is accepted by trying again when the room couldn't be reached, and counted once", async () => {
    const ana = await Person.signedUp(deployment);
    const code = await invite(ana, (await workspaceOf(ana)).id, { uses: 1 });
    const bo = await Person.signedUp(deployment, "Bo");
    for (const failing of ["unreachable", "takes-nobody"] as const) {
      deployment.rooms.failing = failing;
      expect((await bo.post(`/api/invitations/${code}/accept`)).status).toBe(503);
    }
    deployment.rooms.failing = null;
    expect((await bo.get("/api/me")).body["workspaces"]).toEqual([]);
    expect((await bo.post(`/api/invitations/${code}/accept`)).status).toBe(200);
  });

  it("isn't used up by somebody whom the room turns away", async () => {
    const ana = await Person.signedUp(deployment);
    const { id } = await workspaceOf(ana);
    const code = await invite(ana, id, { uses: 1 });
    const out = await Person.signedUp(deployment, "Out");
    deployment.rooms.failing = "turns-away";
    expect((await out.post(`/api/invitations/${code}/accept`)).body).toMatchObject({ code: "forbidden" });
    deployment.rooms.failing = null;
    const bo = await Person.signedUp(deployment, "Bo");
    expect((await bo.post(`/api/invitations/${code}/accept`)).status).toBe(200);
    expect((await out.post(`/api/invitations/${code}/accept`)).body).toMatchObject({ code: "invite_used" });
  });

  it.each([
    ["expired", `UPDATE "invitation" SET "expiresAt" = 1`, "invite_expired"],
    ["revoked", `UPDATE "invitation" SET "revokedAt" = 1`, "invite_revoked"],
    ["used up", `UPDATE "invitation" SET "uses" = 0`, "invite_used"],
  ])("that is %s says so, and lets nobody in", async (_state, change, code) => {
    const ana = await Person.signedUp(deployment);
    const link = await invite(ana, (await workspaceOf(ana)).id);
    await deployment.env.DB.exec(change);
    const shown = await deployment.fetch(`/api/invitations/${link}`);
    expect(shown.status).toBe(410);
    expect(await shown.json()).toMatchObject({ code });
    const bo = await Person.signedUp(deployment, "Bo");
    expect((await bo.post(`/api/invitations/${link}/accept`)).body).toMatchObject({ code, status: 410 });
  });

  it.each(["made-up", "..", "%00", "a".repeat(5_000), "' OR 1=1 --"])("with the code %j isn't there", async (code) => {
    const path = `/api/invitations/${encodeURIComponent(code)}`;
    expect((await deployment.fetch(path)).status).toBe(404);
    const bo = await Person.signedUp(deployment, "Bo");
    expect((await bo.post(`${path}/accept`)).status).toBe(404);
  });

  it("is accepted by somebody only", async () => {
    const ana = await Person.signedUp(deployment);
    const code = await invite(ana, (await workspaceOf(ana)).id);
    expect((await new Person(deployment).post(`/api/invitations/${code}/accept`)).status).toBe(401);
  });
});

describe("inviting", () => {
  it("is for owners and admins, and by policy for members; admins only by admins", async () => {
    const ana = await Person.signedUp(deployment);
    const { id } = await workspaceOf(ana);
    const people: Record<string, Person> = {};
    for (const role of ["admin", "member", "guest"]) {
      const person = await Person.signedUp(deployment, role);
      await person.post(`/api/invitations/${await invite(ana, id, { role })}/accept`);
      people[role] = person;
    }
    const tryAs = async (who: string, role: string) =>
      (await people[who]?.post(`/api/workspaces/${id}/invitations`, { role }))?.status;
    expect(await tryAs("admin", "admin")).toBe(201);
    expect(await tryAs("member", "member")).toBe(403);
    expect(await tryAs("guest", "guest")).toBe(403);
    deployment.rooms.membersMayInvite = true;
    expect(await tryAs("member", "member")).toBe(201);
    expect(await tryAs("member", "admin")).toBe(403);
    expect(await tryAs("guest", "guest")).toBe(403);
    deployment.rooms.membersMayInvite = false;
  });

  it("doesn't tell strangers whether a workspace is there", async () => {
    const ana = await Person.signedUp(deployment);
    const { id } = await workspaceOf(ana);
    const bo = await Person.signedUp(deployment, "Bo");
    const theirs = await bo.post(`/api/workspaces/${id}/invitations`);
    const nobodys = await bo.post("/api/workspaces/0190b2d8-0000-7000-8000-000000000000/invitations");
    expect(theirs.status).toBe(404);
    expect(theirs.body).toEqual(nobodys.body);
    expect((await bo.post("/api/workspaces/..%2F..%2Fx/invitations")).status).toBe(404);
  });

  it("opens no channel that the inviter can't enter", async () => {
    const ana = await Person.signedUp(deployment);
    const { id } = await workspaceOf(ana);
    deployment.rooms.workspaces.get(id)?.channels.set("secret", new Set());
    for (const channel of ["secret", "nowhere"]) {
      const answer = await ana.post(`/api/workspaces/${id}/invitations`, { channels: [channel] });
      expect(answer.status).toBe(422);
      expect(answer.body).toMatchObject({ code: "invalid", detail: expect.stringMatching(/^channels/) });
    }
  });

  it.each<[string, Record<string, unknown>]>([
    ["as owner", { role: "owner" }],
    ["as bot", { role: "bot" }],
    ["for no day", { days: 0 }],
    ["for 366 days", { days: 366 }],
    ["for half a day", { days: 0.5 }],
    ["for no use", { uses: 0 }],
    ["for 10,001 uses", { uses: 10_001 }],
    ["into a channel that can't be one", { channels: ["a_b"] }],
    ["into 51 channels", { channels: Array.from({ length: 51 }, (_, at) => `c${at}`) }],
  ])("%s is refused", async (_what, body) => {
    const ana = await Person.signedUp(deployment);
    const { id } = await workspaceOf(ana);
    expect((await ana.post(`/api/workspaces/${id}/invitations`, body)).status).toBe(422);
  });
});

describe("an invitation accepted by somebody of whom room and index say different things", () => {
  async function invited(uses: number) {
    const ana = await Person.signedUp(deployment);
    const { id } = await workspaceOf(ana);
    const bo = await Person.signedUp(deployment, "Bo");
    const { user } = (await bo.get("/api/me")).body as { user: { id: string } };
    const codes = [await invite(ana, id, { uses }), await invite(ana, id, { uses })];
    const accept = (by: Person, at = 0) => by.post(`/api/invitations/${codes[at]}/accept`);
    return { bo, accept, id: user.id, members: deployment.rooms.workspaces.get(id)?.members };
  }

  it("[ED4] is refused by the room that deactivated them, and the workspace isn't listed as theirs", async () => {
    const { bo, accept, id, members } = await invited(100);
    expect((await accept(bo)).status).toBe(200);
    members?.delete(id);
    deployment.rooms.failing = "turns-away";
    const refused = await accept(bo);
    deployment.rooms.failing = null;
    expect(refused).toMatchObject({ status: 403, body: { code: "forbidden" } });
    expect((await bo.get("/api/me")).body["workspaces"]).toEqual([]);
  });

  it("[ED4] lets them in again, counted once, where the room was restored from before they joined", async () => {
    const { bo, accept, id, members } = await invited(1);
    expect((await accept(bo)).status).toBe(200);
    members?.delete(id);
    expect(await accept(bo)).toMatchObject({ status: 200, body: { role: "member" } });
    expect(members?.get(id)).toEqual({ name: "Bo", role: "member" });
  });

  it("[ED4] isn't used up by them where they are in and the index never heard of it", async () => {
    const { bo, accept } = await invited(1);
    const { answer } = await logged(() =>
      refusing(deployment.env.DB, `INSERT INTO "workspaceMember"`, () => accept(bo)),
    );
    expect(answer.status).toBe(503);
    expect((await accept(bo, 1)).status).toBe(200);
    expect((await bo.get("/api/me")).body["workspaces"]).toHaveLength(1);
    expect((await accept(await Person.signedUp(deployment, "Cy"), 1)).status).toBe(200);
  });
});

describe("a channel that the inviter lost since", () => {
  it("is closed to whom they invited, and a guest's invitation to it alone is void", async () => {
    const ana = await Person.signedUp(deployment);
    const { id } = await ana.createWorkspace("Ferry");
    const owner = (await ana.get("/api/me")).body as unknown as { user: { id: string } };
    const channels = deployment.rooms.workspaces.get(id)?.channels;
    channels?.set("den", new Set([owner.user.id]));
    const codes = [];
    for (const role of ["member", "guest"]) codes.push(await invite(ana, id, { role, channels: ["den"] }));
    channels?.set("den", new Set());
    const bo = await Person.signedUp(deployment, "Bo");
    expect((await bo.post(`/api/invitations/${codes[0]}/accept`)).status).toBe(200);
    expect(deployment.rooms.added.at(-1)?.channels).toEqual([]);
    const gus = await Person.signedUp(deployment, "Gus");
    expect((await gus.post(`/api/invitations/${codes[1]}/accept`)).body).toMatchObject({ code: "invite_revoked" });
  });
});

describe("an invitation by somebody who may no longer invite", () => {
  it.each<[string, Role | null]>([
    ["was deactivated", null],
    ["is an admin no more", "member"],
  ])("[ED4] is void where whoever made it %s", async (_what, role) => {
    const ana = await Person.signedUp(deployment);
    const { id } = await workspaceOf(ana);
    const members = deployment.rooms.workspaces.get(id)?.members;
    const cy = await Person.signedUp(deployment, "Cy");
    await cy.post(`/api/invitations/${await invite(ana, id, { role: "admin" })}/accept`);
    const { user } = (await cy.get("/api/me")).body as { user: { id: string } };
    const codes = [await invite(cy, id, { role: "admin" }), await invite(cy, id)];
    if (role === null) members?.delete(user.id);
    else members?.set(user.id, { name: "Cy", role });
    // Whoever was put out must not come in again by another account, least of all as an admin.
    const again = await Person.signedUp(deployment, "Again");
    for (const code of codes) {
      expect(await (await deployment.fetch(`/api/invitations/${code}`)).json()).toMatchObject({
        code: "invite_revoked",
      });
      const answer = await again.post(`/api/invitations/${code}/accept`);
      expect(answer).toMatchObject({ status: 410, body: { code: "invite_revoked" } });
    }
    expect(members?.size).toBe(role === null ? 1 : 2);
  });
});
