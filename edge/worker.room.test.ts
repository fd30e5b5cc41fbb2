import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { changes } from "#protocol/frames/changes.ts";
import { deployWhole } from "../party/test/edge/deployment.ts";
import { Person } from "../party/test/edge/person.ts";

// The edge together with the real rooms: what the other tests of the edge assume of them is true.
const deployment = await deployWhole();

async function tokenFor(person: Person, room: string): Promise<{ status: number; authorization: string }> {
  const { status, body } = await person.post("/api/rooms/auth", { room });
  return { status, authorization: `Bearer ${String(body["token"])}` };
}

async function entitiesOf(person: Person, party: string, id: string): Promise<{ kind: string; id: string }[]> {
  const { authorization } = await tokenFor(person, `${party}:${id}`);
  const answer = await deployment.fetch(`/parties/${party}/${id}/changes`, { headers: { authorization } });
  expect(answer.status).toBe(200);
  return v.parse(changes, await answer.json()).entities;
}

describe("edge and rooms in one Worker", () => {
  it("from sign-up to a room by its token, and another person by invitation", async () => {
    const ana = await Person.signedUp(deployment);
    const { id, general } = await ana.createWorkspace("Harbour");
    const mine = await entitiesOf(ana, "workspace", id);
    expect(mine.find(({ kind }) => kind === "workspace")).toMatchObject({ id, name: "Harbour" });
    expect(mine.find(({ kind }) => kind === "channel")).toMatchObject({
      id: general,
      name: "general",
      access: "public",
    });
    expect(mine.find(({ kind }) => kind === "member")).toMatchObject({ role: "owner", name: "Ana" });
    await entitiesOf(ana, "channel", `${id}_${general}`);

    const bo = await Person.signedUp(deployment, "Bo");
    expect((await tokenFor(bo, `workspace:${id}`)).status).toBe(403);
    const invited = await ana.post(`/api/workspaces/${id}/invitations`, { channels: [general] });
    const code = String(invited.body["code"]);
    expect((await bo.get(`/api/invitations/${code}`)).body).toEqual({
      workspace: { name: "Harbour", icon: null },
      invitedBy: "Ana",
      members: 1,
      role: "member",
    });
    expect((await bo.post(`/api/invitations/${code}/accept`)).body).toMatchObject({
      workspace: { id },
      role: "member",
    });
    expect((await entitiesOf(bo, "workspace", id)).filter(({ kind }) => kind === "member")).toHaveLength(2);
    await entitiesOf(bo, "channel", `${id}_${general}`);
    expect((await bo.post(`/api/workspaces/${id}/invitations`)).status).toBe(403);
  });

  it("[AU12] takes the tokens of a session back when it ends", async () => {
    const ana = await Person.signedUp(deployment);
    const { id } = await ana.createWorkspace("Harbour");
    const { authorization } = await tokenFor(ana, `workspace:${id}`);
    const read = async (): Promise<number> =>
      (await deployment.fetch(`/parties/workspace/${id}/changes`, { headers: { authorization } })).status;
    expect(await read()).toBe(200);
    expect((await ana.post("/api/auth/revoke", {})).status).toBe(204);
    expect(await read()).toBe(401);
  });

  it("a room takes no call that the edge didn't sign", async () => {
    const ana = await Person.signedUp(deployment);
    const { id } = await ana.createWorkspace("Harbour");
    const { authorization } = await tokenFor(ana, `workspace:${id}`);
    const body = JSON.stringify({ user: "someone", name: "Eve", role: "owner", channels: [] });
    for (const headers of [{}, { authorization }, { authorization: "Bearer x.y.z" }]) {
      const answer = await deployment.fetch(`/parties/workspace/${id}/members`, { method: "POST", headers, body });
      expect([401, 403]).toContain(answer.status);
    }
  });

  it("answers everything else by the app", async () => {
    expect(await (await deployment.fetch("/healthz")).json()).toMatchObject({ ok: true });
    expect((await deployment.fetch("/api/me")).status).toBe(401);
  });
});
