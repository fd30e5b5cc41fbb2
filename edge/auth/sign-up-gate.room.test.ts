import { describe, expect, it } from "vitest";
import { deploy } from "../../party/test/edge/deployment.ts";
import { Person } from "../../party/test/edge/person.ts";
import { sha256Hex } from "./digest.ts";

describe("where sign-up is closed", () => {
  it("[ED1] the first account needs the set-up code, and others an invitation", async () => {
    const closed = await deploy({ OPEN_SIGNUP: "false", SETUP_CODE_HASH: await sha256Hex("open-sesame") });
    await closed.env.DB.exec(`DELETE FROM "workspace"`);
    expect((await new Person(closed).signUp()).body).toMatchObject({ code: "setup_required", status: 409 });
    expect((await new Person(closed).signUp({ setupCode: "close-sesame" })).body).toMatchObject({ code: "invalid" });

    const owner = new Person(closed, "Owner");
    expect((await owner.signUp({ setupCode: "open-sesame" })).status).toBe(200);
    expect((await owner.post("/api/workspaces", { name: "Acme" })).body).toMatchObject({ code: "setup_required" });
    const made = await owner.post("/api/workspaces", { name: "Acme", setupCode: "open-sesame" });
    expect(made.status).toBe(201);

    expect((await new Person(closed).signUp({ setupCode: "open-sesame" })).body).toMatchObject({ code: "setup_done" });
    expect((await owner.post("/api/workspaces", { name: "Other", setupCode: "open-sesame" })).body).toMatchObject({
      code: "setup_done",
    });
    expect((await owner.post("/api/workspaces", { name: "Other" })).body).toMatchObject({ code: "forbidden" });
    expect((await new Person(closed).signUp()).body).toMatchObject({ code: "forbidden" });
    expect((await new Person(closed).signUp({ invitation: "made-up" })).body).toMatchObject({ code: "not_found" });

    const { workspace } = made.body as { workspace: { id: string } };
    const invited = await owner.post(`/api/workspaces/${workspace.id}/invitations`);
    const bo = new Person(closed, "Bo");
    expect((await bo.signUp({ invitation: invited.body["code"] })).status).toBe(200);
    expect((await bo.post(`/api/invitations/${String(invited.body["code"])}/accept`)).status).toBe(200);
  });

  it("[ED1] one set-up code makes one workspace, also when tried twice at once", async () => {
    const closed = await deploy({ OPEN_SIGNUP: "false", SETUP_CODE_HASH: await sha256Hex("open-sesame") });
    await closed.env.DB.exec(`DELETE FROM "workspace"`);
    const owner = new Person(closed);
    await owner.signUp({ setupCode: "open-sesame" });
    const make = () => owner.post("/api/workspaces", { name: "Acme", setupCode: "open-sesame" });
    const both = await Promise.all([make(), make()]);
    expect(both.map((answer) => answer.status).toSorted((one, other) => one - other)).toEqual([201, 409]);
  });

  it("no set-up code opens a deployment that has none", async () => {
    const closed = await deploy({ OPEN_SIGNUP: "false" });
    await closed.env.DB.exec(`DELETE FROM "workspace"`);
    expect((await new Person(closed).signUp({ setupCode: "" })).body).toMatchObject({ code: "invalid" });
  });
});
