import { beforeEach, describe, expect, it } from "vitest";
import { deploy } from "../../party/test/edge/deployment.ts";
import { Person } from "../../party/test/edge/person.ts";

const deployment = await deploy();
const { denied } = deployment.rooms;

beforeEach(() => {
  denied.length = 0;
});

async function idsOf(person: Person): Promise<{ user: string; sid: string }> {
  const { body } = await person.get("/api/auth/get-session");
  const { session, user } = body as unknown as { session: { id: string }; user: { id: string } };
  return { user: user.id, sid: session.id };
}

const justNow = (): unknown => expect.closeTo(Date.now() / 1_000, -1);

describe("ending a session", () => {
  it("[AU12] by sign-out takes back its tokens in every workspace of mine", async () => {
    const ana = await Person.signedUp(deployment);
    const workspaces = [await ana.createWorkspace("One"), await ana.createWorkspace("Two")];
    const { user, sid } = await idsOf(ana);
    expect((await ana.post("/api/auth/sign-out")).status).toBe(200);
    const denial = { sub: user, sid, at: justNow(), code: "unauthenticated" };
    expect(denied.toSorted((one, other) => one.workspace.localeCompare(other.workspace))).toEqual(
      workspaces
        .map(({ id }) => ({ workspace: id, denial }))
        .toSorted((one, other) => one.workspace.localeCompare(other.workspace)),
    );
  });

  it("by sign-out works also while rooms can't be reached", async () => {
    const ana = await Person.signedUp(deployment);
    await ana.createWorkspace("One");
    deployment.rooms.failing = "unreachable";
    expect((await ana.post("/api/auth/sign-out")).status).toBe(200);
    deployment.rooms.failing = null;
    expect((await ana.get("/api/me")).status).toBe(401);
  });
});

describe("POST /api/auth/revoke", () => {
  it("[AU12] ends one session of mine and takes back its tokens; the others go on", async () => {
    const ana = await Person.signedUp(deployment);
    const { id } = await ana.createWorkspace("One");
    const { user, sid } = await idsOf(ana);
    await ana.signIn();
    const answer = await ana.post("/api/auth/revoke", { sid });
    expect(answer.status).toBe(204);
    expect(denied).toEqual([{ workspace: id, denial: { sub: user, sid, at: justNow(), code: "unauthenticated" } }]);
    expect((await ana.get("/api/me")).status).toBe(200);
  });

  it("[AU12] without more ends all of mine", async () => {
    const ana = await Person.signedUp(deployment);
    const { id } = await ana.createWorkspace("One");
    const { user } = await idsOf(ana);
    const { body } = await ana.signIn();
    expect((await ana.post("/api/auth/revoke", {})).status).toBe(204);
    expect(denied).toEqual([{ workspace: id, denial: { sub: user, at: justNow(), code: "unauthenticated" } }]);
    expect((await ana.get("/api/me", { authorization: `Bearer ${String(body["token"])}` })).status).toBe(401);
  });

  it("says when a room couldn't be told, and may be called again", async () => {
    const ana = await Person.signedUp(deployment);
    await ana.createWorkspace("One");
    const { sid } = await idsOf(ana);
    await ana.signIn();
    deployment.rooms.failing = "breaks";
    expect((await ana.post("/api/auth/revoke", { sid })).status).toBe(503);
    deployment.rooms.failing = null;
    expect((await ana.post("/api/auth/revoke", { sid })).status).toBe(204);
    expect(denied).toHaveLength(1);
  });

  it("[AU12] of somebody else is for administrators, and reaches their workspaces alone", async () => {
    const ana = await Person.signedUp(deployment);
    const shared = await ana.createWorkspace("Shared");
    const bo = await Person.signedUp(deployment, "Bo");
    const own = await bo.createWorkspace("Own");
    const { body } = await ana.post(`/api/workspaces/${shared.id}/invitations`);
    await bo.post(`/api/invitations/${String(body["code"])}/accept`);
    const ids = { ana: await idsOf(ana), bo: await idsOf(bo) };

    expect((await bo.post("/api/auth/revoke", { user: ids.ana.user })).status).toBe(404);
    const stranger = await Person.signedUp(deployment, "Cy");
    expect((await stranger.post("/api/auth/revoke", { user: ids.bo.user })).status).toBe(404);
    expect((await stranger.post("/api/auth/revoke", { sid: ids.bo.sid })).status).toBe(404);
    expect(denied).toEqual([]);

    expect((await ana.post("/api/auth/revoke", { user: ids.bo.user })).status).toBe(204);
    expect(denied.map(({ workspace }) => workspace)).toEqual([shared.id]);
    expect(own.id).not.toBe(shared.id);
    expect((await bo.get("/api/me")).status).toBe(200);
  });

  it.each([[{ user: 5 }], [{ user: "a/b" }], [{ sid: [] }], [{ sid: "s".repeat(129) }], [[]]])(
    "refuses %j",
    async (body) => {
      const ana = await Person.signedUp(deployment);
      expect((await ana.post("/api/auth/revoke", body)).status).toBe(422);
    },
  );

  it("needs somebody", async () => {
    expect((await new Person(deployment).post("/api/auth/revoke", {})).status).toBe(401);
  });
});
