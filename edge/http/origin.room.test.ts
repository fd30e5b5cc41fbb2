import { describe, expect, it } from "vitest";
import { deploy, ORIGIN } from "../../party/test/edge/deployment.ts";
import { PASSWORD, Person } from "../../party/test/edge/person.ts";

const deployment = await deploy();

describe("calls of foreign pages", () => {
  it.each([
    ["another site", { origin: "https://evil.example" }],
    ["a page without origin", { origin: "null" }],
    ["a look-alike", { origin: `${ORIGIN}.evil.example` }],
    ["plain HTTP", { origin: ORIGIN.replace("https", "http") }],
  ])("are refused from %s, before anything is done", async (_what, headers) => {
    const ana = new Person(deployment);
    const answer = await ana.post(
      "/api/auth/sign-up/email",
      { name: "Ana", email: ana.email, password: PASSWORD },
      headers,
    );
    expect(answer.status).toBe(422);
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    expect((await ana.signIn()).status).toBe(401);
  });

  it("are refused when the browser only says that they are cross-site", async () => {
    const answer = await deployment.fetch("/api/auth/sign-out", {
      method: "POST",
      headers: { "sec-fetch-site": "cross-site" },
    });
    expect(answer.status).toBe(422);
  });

  it("are told so by what no client takes for a right that was lost ([AU6])", async () => {
    const headers = { origin: "https://elsewhere.example" };
    const answer = await new Person(deployment).post("/api/rooms/auth", { room: "workspace:w" }, headers);
    expect([answer.status, answer.body]).toMatchObject([422, { code: "invalid" }]);
  });

  it("can't sign anybody in with a form, whose type isn't JSON", async () => {
    const answer = await new Person(deployment).post("/api/auth/sign-in/email", "email=a&password=b", {
      "content-type": "application/x-www-form-urlencoded",
    });
    expect(answer.status).toBe(415);
    expect(answer.body).toMatchObject({ code: "unsupported_type" });
  });
});
