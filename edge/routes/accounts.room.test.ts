import { describe, expect, it } from "vitest";
import { deploy } from "../../party/test/edge/deployment.ts";
import { logged } from "../../party/test/edge/log.ts";
import { PASSWORD, Person } from "../../party/test/edge/person.ts";
import { refusing } from "../../party/test/edge/refusing.ts";

const deployment = await deploy();
const DAY_MS = 24 * 3_600_000;

describe("sign-up", () => {
  it("makes an account, signs in, and keeps the session in a cookie that scripts can't read", async () => {
    const ana = new Person(deployment);
    const made = await ana.signUp();
    expect(made.status).toBe(200);
    expect(made.body).toMatchObject({ user: { name: "Ana", email: ana.email }, token: expect.any(String) });
    const [cookie] = made.headers.getSetCookie();
    expect(cookie).toMatch(
      /^__Secure-causeway\.session_token=.+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(made.headers.get("cache-control")).toBe("no-store");
    expect((await ana.get("/api/me")).body).toMatchObject({ user: { name: "Ana", email: ana.email }, workspaces: [] });
  });

  it("leaves `Secure` out on the machine itself, where browsers speak plain HTTP", async () => {
    for (const origin of ["http://localhost:8787", "http://127.0.0.1:8787", "http://[::1]:8787"]) {
      const person = new Person(deployment);
      const made = await deployment.fetch(`${origin}/api/auth/sign-up/email`, {
        method: "POST",
        headers: { "content-type": "application/json", origin },
        body: JSON.stringify({ name: "Ana", email: person.email, password: PASSWORD }),
      });
      expect(made.headers.getSetCookie()[0]).toMatch(
        /^causeway\.session_token=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/,
      );
    }
  });

  it("compares addresses in lower case", async () => {
    const ana = await Person.signedUp(deployment);
    const again = new Person(deployment);
    const made = await again.signUp({ email: ` ${ana.email.toUpperCase()} ` });
    expect(made.status).toBe(409);
    expect(made.body).toMatchObject({ code: "name_taken" });
    expect((await ana.signIn({ email: ana.email.toUpperCase() })).status).toBe(200);
  });

  it("lets one of two at once have the address", async () => {
    const email = "twice@mail.example";
    const both = await Promise.all([
      new Person(deployment).signUp({ email }),
      new Person(deployment).signUp({ email }),
    ]);
    expect(both.map((answer) => answer.status).toSorted((one, other) => one - other)).toEqual([200, 409]);
  });

  it("doesn't say that an address is taken where the database couldn't make the account", async () => {
    const ana = new Person(deployment);
    const signUp = () => ana.signUp();
    const { answer } = await logged(() => refusing(deployment.env.DB, `INSERT INTO "user"`, signUp));
    expect(answer).toMatchObject({ status: 503, body: { code: "upstream_unavailable" } });
    expect((await signUp()).status).toBe(200);
  });

  it("lets somebody take an address whose sign-up died half-way", async () => {
    const ana = new Person(deployment);
    const insert = (createdAt: number, email: string) =>
      deployment.env.DB.prepare(
        `INSERT INTO "user" ("id", "name", "email", "emailVerified", "createdAt", "updatedAt") VALUES (?1, 'x', ?1, 0, ?2, ?2)`,
      )
        .bind(email, new Date(createdAt).toISOString())
        .run();
    await insert(Date.now() - DAY_MS, ana.email);
    expect((await ana.signUp()).status).toBe(200);
    const bo = new Person(deployment, "Bo");
    await insert(Date.now(), bo.email);
    expect((await bo.signUp()).body).toMatchObject({ code: "rate_limited" });
  });

  it("sends nobody to sign in to an account that the database cut off half-way", async () => {
    const ana = new Person(deployment);
    const signUp = () => ana.signUp();
    const { answer } = await logged(() => refusing(deployment.env.DB, `INSERT INTO "account"`, signUp));
    expect(answer.status).toBe(503);
    const again = await signUp();
    expect(again).toMatchObject({ status: 429, body: { code: "rate_limited" } });
    expect(again.body["detail"]).toMatch(/Try again in a minute/);
    expect((await ana.signIn()).status).toBe(401);
  });

  it.each<[string, Record<string, unknown>, string, RegExp]>([
    ["no name", { name: undefined }, "invalid", /^name/],
    ["a name that isn't text", { name: 7 }, "invalid", /^name/],
    ["a name of nothing visible", { name: "\u200B\u200B" }, "invalid", /^name: needs a visible character/],
    ["a name that turns text round", { name: "Ana\u202Exe" }, "invalid", /^name/],
    ["a name of 61 characters", { name: "a".repeat(61) }, "too_long", /^name has 61/],
    ["no address", { email: undefined }, "invalid", /^email/],
    ["an address without a host", { email: "ana@" }, "invalid", /^email: is not an email address/],
    ["an address with a script", { email: "<script>@mail.example" }, "invalid", /^email/],
    ["an address of 255 characters", { email: `${"a".repeat(242)}@mail.example` }, "too_long", /^email has 255/],
    ["no password", { password: undefined }, "invalid", /^password/],
    ["a password of 9 characters", { password: "123abc!$x" }, "invalid", /at least 10/],
    ["a password of 9 characters that look like 18", { password: "🌊🌊🌊🌊🌊🌊🌊🌊🌉" }, "invalid", /at least 10/],
    ["a password of 129 characters", { password: "ab".repeat(64) + "c" }, "invalid", /128 characters at most/],
    ["one of the commonest passwords", { password: "Password123!" }, "invalid", /commonest/],
    ["one character over and over", { password: "$".repeat(20) }, "invalid", /commonest/],
    [
      "the address as password",
      { email: "same@mail.example", password: "Same@mail.example" },
      "invalid",
      /email or name/,
    ],
    [
      "the part before the @ as password",
      { email: "annabellewho@mail.example", password: "AnnabelleWho" },
      "invalid",
      /email or name/,
    ],
    ["the name as password", { name: "Ana Maria Lopez", password: "anamarialopez" }, "invalid", /email or name/],
  ])("refuses %s, and says which field", async (_what, extra, code, detail) => {
    const answer = await new Person(deployment).signUp(extra);
    expect(answer.status).toBe(422);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(answer.body).toMatchObject({ code, status: 422, detail: expect.stringMatching(detail) });
    // What was typed isn't repeated: it may be a password.
    for (const typed of Object.values(extra)) expect(String(answer.body["detail"])).not.toContain(typed);
  });

  it("takes a password of 128 characters of any script, however composed", async () => {
    const ana = new Person(deployment);
    const composed = "Åé".normalize("NFC").repeat(64);
    expect((await ana.signUp({ password: composed })).status).toBe(200);
    expect((await ana.signIn({ password: composed.normalize("NFD") })).status).toBe(200);
  });

  it("ignores what it wasn't asked for", async () => {
    const ana = new Person(deployment);
    const made = await ana.signUp({
      image: "javascript:alert(1)",
      emailVerified: true,
      id: "mine",
      callbackURL: "https://evil.example",
    });
    expect(made.status).toBe(200);
    expect(made.body).toMatchObject({ user: { image: null, emailVerified: false } });
    expect(made.headers.get("location")).toBeNull();
  });
});

describe("sign-in", () => {
  it("answers a wrong password and an unknown account word for word alike", async () => {
    const ana = await Person.signedUp(deployment);
    const wrong = await ana.signIn({ password: "tide under the harbour wall" });
    const unknown = await new Person(deployment).signIn();
    expect(wrong.status).toBe(401);
    expect(wrong.body).toEqual({ ...unknown.body });
    expect(wrong.body).toMatchObject({ code: "unauthenticated", detail: "The email or the password isn't right." });
    expect(wrong.headers.getSetCookie()).toEqual(unknown.headers.getSetCookie());
  });

  it("is a new session each time; the token in the answer works as bearer", async () => {
    const ana = await Person.signedUp(deployment);
    const { body, headers } = await ana.signIn();
    ana.forgetCookies();
    expect((await ana.get("/api/me")).status).toBe(401);
    for (const token of [body["token"], headers.get("set-auth-token")]) {
      const me = await ana.get("/api/me", { authorization: `Bearer ${String(token)}` });
      expect(me.body).toMatchObject({ user: { email: ana.email } });
    }
  });

  it("stops after 10 tries in 10 minutes for an account and address, and says for how long", async () => {
    const ana = await Person.signedUp(deployment);
    const begun = Date.now();
    for (let tries = 0; tries < 10; tries++) {
      expect((await ana.signIn({ password: `not the ${tries}th password` })).status).toBe(401);
    }
    const stopped = await ana.signIn();
    expect(stopped.status).toBe(429);
    expect(stopped.body).toMatchObject({ code: "rate_limited", retryAfter: expect.any(Number) });
    const seconds = Number(stopped.headers.get("retry-after"));
    // Each try takes its time, on purpose, and on a busy machine more.
    const passed = (Date.now() - begun) / 1_000;
    expect(seconds).toBeGreaterThanOrEqual(600 - passed);
    expect(seconds).toBeLessThanOrEqual(600);
    // From another address the same person gets in: nobody can lock somebody out from afar.
    const elsewhere = new Person(deployment);
    expect((await elsewhere.signIn({ email: ana.email })).status).toBe(200);
  });

  it("forgets earlier slips once it succeeds", async () => {
    const ana = await Person.signedUp(deployment);
    for (let round = 0; round < 2; round++) {
      for (let tries = 0; tries < 9; tries++) await ana.signIn({ password: "wrong wrong wrong" });
      expect((await ana.signIn()).status).toBe(200);
    }
  });

  it("limits an address over all accounts, by its own variable, and keeps no address in the clear", async () => {
    const strict = await deploy({ SIGN_IN_TRIES_PER_ADDRESS: "3" });
    const ana = await Person.signedUp(strict);
    for (let tries = 0; tries < 3; tries++) {
      expect((await ana.signIn({ email: `nobody${tries}@mail.example` })).status).toBe(401);
    }
    expect((await ana.signIn()).status).toBe(429);
    const { results } = await strict.env.DB.prepare(`SELECT "key" FROM "rate"`).all();
    expect(JSON.stringify(results)).not.toMatch(/198\.51|@/);
  });

  it.each<[string, unknown]>([
    ["no address", { password: PASSWORD }],
    ["no password", { email: "ana@mail.example" }],
    ["a password that is a list", { email: "ana@mail.example", password: ["x"] }],
    ["a password without end", { email: "ana@mail.example", password: "x".repeat(10_000) }],
    ["a list", []],
    ["null", null],
  ])("refuses %s", async (_what, body) => {
    const answer = await new Person(deployment).post("/api/auth/sign-in/email", body);
    expect(answer.status).toBe(422);
  });
});

describe("a session", () => {
  it("is shown without its token, and is null for nobody", async () => {
    const ana = await Person.signedUp(deployment);
    const { status, body } = await ana.get("/api/auth/get-session");
    expect(status).toBe(200);
    expect(body).toMatchObject({ session: { id: expect.any(String) }, user: { email: ana.email } });
    expect(JSON.stringify(body)).not.toContain("token");
    const nobody = await deployment.fetch("/api/auth/get-session");
    expect(await nobody.json()).toBeNull();
  });

  it("ends with sign-out, for good", async () => {
    const ana = await Person.signedUp(deployment);
    const { body } = await ana.signIn();
    expect((await ana.post("/api/auth/sign-out")).status).toBe(200);
    expect((await ana.get("/api/me")).status).toBe(401);
    expect((await ana.get("/api/me", { authorization: `Bearer ${String(body["token"])}` })).status).toBe(401);
  });

  it("[ED5] isn't said to be over while the database can't end it", async () => {
    const ana = await Person.signedUp(deployment);
    const { body } = await ana.signIn();
    const signOut = () => ana.post("/api/auth/sign-out");
    const { answer } = await logged(() => refusing(deployment.env.DB, `DELETE FROM "session"`, signOut));
    expect(answer).toMatchObject({ status: 503, body: { code: "upstream_unavailable" } });
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect((await ana.get("/api/me")).status).toBe(200);
    const ended = await signOut();
    expect(ended).toMatchObject({ status: 200, body: { success: true } });
    expect(ended.headers.getSetCookie()[0]).toContain("Max-Age=0");
    expect((await ana.get("/api/me", { authorization: `Bearer ${String(body["token"])}` })).status).toBe(401);
  });

  it("rolls: in use after a day it lasts 30 days again, and no longer in use it ends", async () => {
    const ana = await Person.signedUp(deployment);
    const expiresIn = (ms: number) =>
      deployment.env.DB.prepare(
        `UPDATE "session" SET "expiresAt" = ? WHERE "userId" = (SELECT "id" FROM "user" WHERE "email" = ?)`,
      )
        .bind(new Date(Date.now() + ms).toISOString(), ana.email)
        .run();
    const fresh = await ana.get("/api/me");
    expect(fresh.headers.getSetCookie()).toEqual([]);
    await expiresIn(28 * DAY_MS);
    const rolled = await ana.get("/api/me");
    expect(rolled.headers.getSetCookie()[0]).toContain("Max-Age=2592000");
    const left = await deployment.env.DB.prepare(
      `SELECT max("expiresAt") AS "at" FROM "session" WHERE "userId" = (SELECT "id" FROM "user" WHERE "email" = ?)`,
    )
      .bind(ana.email)
      .first<{ at: string }>();
    expect(Date.parse(left?.at ?? "") - Date.now()).toBeGreaterThan(29.9 * DAY_MS);
    await expiresIn(-1_000);
    expect((await ana.get("/api/me")).status).toBe(401);
  });

  it("goes on where the database can be read but not written, and is prolonged later", async () => {
    const ana = await Person.signedUp(deployment);
    await deployment.env.DB.prepare(
      `UPDATE "session" SET "expiresAt" = ? WHERE "userId" = (SELECT "id" FROM "user" WHERE "email" = ?)`,
    )
      .bind(new Date(Date.now() + 28 * DAY_MS).toISOString(), ana.email)
      .run();
    const answer = await refusing(deployment.env.DB, `UPDATE "session"`, () => ana.get("/api/me"));
    expect(answer).toMatchObject({ status: 200, body: { user: { email: ana.email } } });
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect((await ana.get("/api/me")).headers.getSetCookie()[0]).toContain("Max-Age=2592000");
    const away = () => refusing(deployment.env.DB, `SELECT`, () => ana.get("/api/me"));
    expect((await logged(away)).answer.status).toBe(503);
  });

  it.each([
    ["none", {}],
    ["a made-up bearer", { authorization: "Bearer aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" }],
    ["a bearer with a foreign signature", { authorization: "Bearer abc.def" }],
    ["another scheme", { authorization: "Basic YW5hOmFuYQ==" }],
    ["a cookie that was altered", { cookie: "__Secure-causeway.session_token=abc.def" }],
  ])("isn't found in %s: 401 with a challenge", async (_what, headers: Record<string, string>) => {
    const answer = await deployment.fetch("/api/me", { headers });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toContain("Bearer");
    expect(await answer.json()).toMatchObject({ code: "unauthenticated" });
  });
});

describe("the library's other routes", () => {
  it.each([
    "/api/auth/update-user",
    "/api/auth/change-password",
    "/api/auth/list-sessions",
    "/api/auth/error",
    "/api/auth/ok",
  ])("%s is not there", async (path) => {
    const ana = await Person.signedUp(deployment);
    expect((await ana.get(path)).body).toMatchObject({ code: "not_found" });
    expect((await ana.post(path)).body).toMatchObject({ code: "not_found" });
  });
});
