import { uuidv7 } from "uuidv7";
import { describe, expect, it, vi } from "vitest";
import { deploy, type Deployment } from "../../party/test/edge/deployment.ts";
import { logged } from "../../party/test/edge/log.ts";
import { Person } from "../../party/test/edge/person.ts";
import { refusing } from "../../party/test/edge/refusing.ts";
import { sha256Hex } from "../auth/digest.ts";

const deployment = await deploy();

describe("making a workspace", () => {
  it("answers with it and its general channel, and lists it as mine, as owner", async () => {
    const ana = await Person.signedUp(deployment);
    const { status, body } = await ana.post("/api/workspaces", { name: "  Harbour crew ", slug: "harbour" });
    expect(status).toBe(201);
    expect(body).toEqual({
      workspace: { id: expect.any(String), slug: "harbour", name: "Harbour crew" },
      general: expect.any(String),
    });
    const me = await ana.get("/api/me");
    expect(me.body["workspaces"]).toEqual([{ ...(body["workspace"] as object), role: "owner" }]);
    const bo = await Person.signedUp(deployment, "Bo");
    expect((await bo.get("/api/me")).body["workspaces"]).toEqual([]);
  });

  it.each([
    ["Acme", "acme"],
    ["Acme", "acme-2"],
    ["Çağrı & Søn", "cagr-s-n"],
    ["港の仲間", /^team-[a-z0-9]+$/],
    ["API", "team-api"],
    ["A", "team-a"],
    ["a".repeat(60), "a".repeat(32)],
    ["a".repeat(60), `${"a".repeat(30)}-2`],
  ])("makes a short name for %s", async (name, slug) => {
    const ana = await Person.signedUp(deployment);
    const made = await ana.createWorkspace(name);
    expect(made.slug).toMatch(typeof slug === "string" ? new RegExp(`^${slug}$`) : slug);
  });

  it("says that a chosen short name is taken, and which is free", async () => {
    const ana = await Person.signedUp(deployment);
    await ana.post("/api/workspaces", { name: "Crane", slug: "crane" });
    const again = await ana.post("/api/workspaces", { name: "Crane", slug: "crane" });
    expect(again.status).toBe(409);
    expect(again.body).toMatchObject({ code: "name_taken", suggestion: "crane-2" });
    expect((await ana.post("/api/workspaces", { name: "X", slug: "api" })).body).toMatchObject({ code: "name_taken" });
  });

  it("lets one of two at once have a short name", async () => {
    const ana = await Person.signedUp(deployment);
    const make = () => ana.post("/api/workspaces", { name: "Race", slug: "race" });
    const both = await Promise.all([make(), make()]);
    expect(both.map((answer) => answer.status).toSorted((one, other) => one - other)).toEqual([201, 409]);
  });

  it.each<[string, unknown]>([
    ["nothing", {}],
    ["an empty name", { name: " \n " }],
    ["a name of 61 characters", { name: "a".repeat(61) }],
    ["a number as name", { name: 5 }],
    ["a short name of 2", { name: "Ok", slug: "ab" }],
    ["a short name of 33", { name: "Ok", slug: "a".repeat(33) }],
    ["a short name with a slash", { name: "Ok", slug: "a/../b" }],
    ["a short name that ends in a dash", { name: "Ok", slug: "abc-" }],
    ["an id that is no UUID", { name: "Ok", id: "general" }],
    ["text", "name"],
  ])("refuses %s with 422", async (_what, body) => {
    const ana = await Person.signedUp(deployment);
    expect((await ana.post("/api/workspaces", body)).status).toBe(422);
  });

  it.each([
    ["half of a JSON", '{"name": "Ac', 422, "invalid"],
    ["no bytes", "", 422, "invalid"],
    ["more bytes than a call needs", JSON.stringify({ name: "x".repeat(70_000) }), 413, "too_large"],
  ])("refuses %s", async (_what, body, status, code) => {
    const ana = await Person.signedUp(deployment);
    const answer = await ana.post("/api/workspaces", body);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ code });
  });

  it("makes one, asked twice under the id that the device gave it, since no answer came the first time", async () => {
    const ana = await Person.signedUp(deployment);
    const asked = { id: uuidv7(), name: "Twice" };
    const [once, again] = [await ana.post("/api/workspaces", asked), await ana.post("/api/workspaces", asked)];
    expect(once.body["workspace"]).toMatchObject(asked);
    expect(again).toMatchObject({ status: 201, body: once.body });
    expect((await ana.get("/api/me")).body["workspaces"]).toHaveLength(1);
  });

  it("makes one, asked twice at once under the id that the device gave it, and says so to both", async () => {
    const closed = await deploy({ OPEN_SIGNUP: "false", SETUP_CODE_HASH: await sha256Hex("open sesame") });
    for (const on of [deployment, closed]) {
      // Of a closed one it is the first.
      await deployment.env.DB.exec(`DELETE FROM "workspace"`);
      const setupCode = "open sesame";
      const ana = new Person(on);
      await ana.signUp({ setupCode });
      const asked = { id: uuidv7(), name: "At once", setupCode };
      const [one, other] = await Promise.all([ana.post("/api/workspaces", asked), ana.post("/api/workspaces", asked)]);
      expect([one.body, other.body]).toEqual([one.body, one.body]);
      expect([one.status, other.status]).toEqual([201, 201]);
      expect((await ana.get("/api/me")).body["workspaces"]).toHaveLength(1);
    }
  });

  it("keeps one that is there when it is asked for again and its room can't be reached", async () => {
    const ana = await Person.signedUp(deployment);
    const asked = { id: uuidv7(), name: "Kept" };
    await ana.post("/api/workspaces", asked);
    deployment.rooms.failing = "unreachable";
    const down = await ana.post("/api/workspaces", asked);
    deployment.rooms.failing = null;
    expect(down.status).toBe(503);
    expect((await ana.get("/api/me")).body["workspaces"]).toHaveLength(1);
  });

  it("keeps one that was made at the second asking when the first, still under way, then fails", async () => {
    const ana = await Person.signedUp(deployment);
    const asked = { id: uuidv7(), name: "Slow" };
    const { rooms } = deployment;
    const [reached, failed] = [Promise.withResolvers<void>(), Promise.withResolvers<Response>()];
    const hanging = vi.spyOn(rooms, "answer").mockImplementationOnce(() => {
      reached.resolve();
      return failed.promise;
    });
    const first = ana.post("/api/workspaces", asked);
    await reached.promise;
    const second = await ana.post("/api/workspaces", asked);
    failed.reject(new Error("The room is gone"));
    expect([second.status, (await first).status]).toEqual([201, 503]);
    hanging.mockRestore();
    expect((await ana.get("/api/me")).body["workspaces"]).toHaveLength(1);
  });

  it("gives nobody a workspace of somebody else's for its id", async () => {
    const [ana, bo] = [await Person.signedUp(deployment), await Person.signedUp(deployment, "Bo")];
    const asked = { id: uuidv7(), name: "Mine" };
    await ana.post("/api/workspaces", asked);
    expect((await bo.post("/api/workspaces", asked)).status).toBe(409);
    expect((await bo.get("/api/me")).body["workspaces"]).toEqual([]);
  });

  it("needs somebody", async () => {
    expect((await new Person(deployment).post("/api/workspaces", { name: "Acme" })).body).toMatchObject({
      code: "unauthenticated",
    });
  });

  it.each(["unreachable", "breaks", "nonsense", "refuses-signature"] as const)(
    "leaves nothing behind when the room %s, and works when it is back",
    async (failing) => {
      const ana = await Person.signedUp(deployment);
      deployment.rooms.failing = failing;
      const down = await ana.post("/api/workspaces", { name: "Later", slug: `later-${failing}` });
      deployment.rooms.failing = null;
      expect(down.status).toBe(503);
      expect(down.body).toEqual({
        title: expect.any(String),
        status: 503,
        code: "upstream_unavailable",
        detail: expect.any(String),
      });
      expect((await ana.get("/api/me")).body["workspaces"]).toEqual([]);
      expect((await ana.post("/api/workspaces", { name: "Later", slug: `later-${failing}` })).status).toBe(201);
    },
  );
});

describe("a workspace whose making was cut off", () => {
  const NOTE = `INSERT INTO "workspaceMember"`;
  const setupCode = "open-sesame";

  /** A person of a closed deployment that has no workspace yet. */
  async function first(): Promise<{ closed: Deployment; ana: Person }> {
    const closed = await deploy({ OPEN_SIGNUP: "false", SETUP_CODE_HASH: await sha256Hex(setupCode) });
    await closed.env.DB.exec(`DELETE FROM "workspace"`);
    const ana = new Person(closed);
    await ana.signUp({ setupCode });
    return { closed, ana };
  }

  async function cutOff(by: Person, asked: Record<string, unknown>, at = NOTE): Promise<void> {
    const { answer } = await logged(() => refusing(deployment.env.DB, at, () => by.post("/api/workspaces", asked)));
    expect(answer).toMatchObject({ status: 503, body: { code: "upstream_unavailable" } });
  }

  it("[ED3] is listed as mine once its room was made", async () => {
    const { ana } = await first();
    const asked = { id: uuidv7(), name: "Acme" };
    await cutOff(ana, { ...asked, setupCode });
    expect((await ana.get("/api/me")).body["workspaces"]).toEqual([{ ...asked, slug: "acme", role: "owner" }]);
  });

  it("[ED3] is the one that whoever began it gets, asked for under another id and name", async () => {
    const { closed, ana } = await first();
    const workspace = { id: uuidv7(), name: "Acme", slug: "acme" };
    await cutOff(ana, { id: workspace.id, name: workspace.name, setupCode });
    const later = { id: uuidv7(), name: "Acme Inc", setupCode };
    closed.rooms.failing = "unreachable";
    expect((await ana.post("/api/workspaces", later)).status).toBe(503);
    closed.rooms.failing = null;
    const made = await ana.post("/api/workspaces", later);
    expect(made).toMatchObject({ status: 201, body: { workspace, general: expect.any(String) } });
    expect((await ana.get("/api/me")).body["workspaces"]).toEqual([{ ...workspace, role: "owner" }]);
    // It is whole now: the set-up code makes no other.
    expect((await ana.post("/api/workspaces", later)).body).toMatchObject({ code: "setup_done" });
  });

  it("[ED3] gives way to what is asked for later where it has no room", async () => {
    const { closed, ana } = await first();
    closed.rooms.failing = "unreachable";
    await cutOff(ana, { id: uuidv7(), name: "Acme", setupCode }, `DELETE FROM "workspace"`);
    closed.rooms.failing = null;
    expect((await ana.get("/api/me")).body["workspaces"]).toEqual([]);
    const later = { id: uuidv7(), name: "Acme Inc" };
    const made = await ana.post("/api/workspaces", { ...later, setupCode });
    expect(made).toMatchObject({ status: 201, body: { workspace: { ...later, slug: "acme-inc" } } });
    expect((await ana.get("/api/me")).body["workspaces"]).toEqual([{ ...later, slug: "acme-inc", role: "owner" }]);
  });

  it("[ED3] where sign-up is open, is had by its name, and by nobody else", async () => {
    const [ana, bo] = [await Person.signedUp(deployment), await Person.signedUp(deployment, "Bo")];
    const workspace = { id: uuidv7(), name: "Quay", slug: "quay" };
    await cutOff(ana, { id: workspace.id, name: workspace.name });
    expect((await ana.createWorkspace("Pier")).slug).toBe("pier");
    expect((await bo.createWorkspace("Quay")).slug).toBe("quay-2");
    expect(await ana.createWorkspace("Quay")).toMatchObject(workspace);
    expect((await ana.createWorkspace("Quay")).slug).toBe("quay-3");
  });
});
