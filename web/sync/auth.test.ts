import { describe, expect, it } from "vitest";
import type { RoomName } from "#protocol/room-name.ts";
import { decide, readToken, type AuthDecision } from "./auth.ts";
import { ask, type Answer } from "./http.ts";

const ROOM = "channel:w_c" as RoomName;
const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const jwt = (claims: unknown): string => `${base64url({ alg: "ES256" })}.${base64url(claims)}.c2ln`;
const TOKEN = jwt({ iat: 1_000, exp: 4_600, name: "Zoë ÿ" });
const problem = (code: string, extra: object = {}): object => ({ code, detail: code, status: 0, title: "", ...extra });
const refused = { [ROOM]: { code: "archived", reason: "closed" } };

const ROWS: readonly (readonly [what: string, status: number, body: unknown, decision: AuthDecision])[] = [
  [
    "[AU1] 200 with a JWT",
    200,
    { token: TOKEN },
    { do: "use", token: { jwt: TOKEN, lifeMs: 3_600_000, issuedAt: 1_000_000 } },
  ],
  ["[AU2] 200 without a JWT", 200, { hello: "hotel guest" }, { do: "retry" }],
  ["[AU2] 200 with something that only looks like one", 200, { token: "a.b" }, { do: "retry" }],
  ["[AU2] 200 with three parts that hold nothing", 200, { token: "a.b.c" }, { do: "retry" }],
  ["[AU3] 401", 401, problem("unauthenticated"), { do: "sign-in" }],
  [
    "[AU4] 403 with the reason",
    403,
    problem("forbidden", { refused }),
    { do: "stop", code: "archived", detail: "closed" },
  ],
  [
    "[AU4] 403 with another's",
    403,
    problem("forbidden", { refused: { "channel:w_d": { code: "archived", reason: "closed" } } }),
    { do: "stop", code: "forbidden", detail: "You no longer have access to this channel." },
  ],
  [
    "[AU4] 403 without one",
    403,
    problem("forbidden"),
    { do: "stop", code: "forbidden", detail: "You no longer have access to this channel." },
  ],
  [
    "[AU4] the room in `refused` of a 200",
    200,
    { token: TOKEN, refused },
    { do: "stop", code: "archived", detail: "closed" },
  ],
  [
    "[AU4] another room in `refused` is not this one",
    200,
    { token: TOKEN, refused: { "channel:w_d": { code: "forbidden", reason: "" } } },
    { do: "use", token: { jwt: TOKEN, lifeMs: 3_600_000, issuedAt: 1_000_000 } },
  ],
  ["[AU7] 408", 408, undefined, { do: "retry" }],
  ["[AU7] 500", 500, problem("internal"), { do: "retry" }],
  ["[AU7] 503", 503, undefined, { do: "retry" }],
];

describe("the authorisation endpoint's answer", () => {
  it.each(ROWS)("%s", (_what, status, body, decision) => {
    expect(decide({ kind: "answered", status, body }, ROOM)).toEqual(decision);
  });

  it.each([400, 404, 405, 422])("[AU6] %i is a misconfiguration, named", (status) => {
    const decision = decide({ kind: "answered", status, body: undefined }, ROOM);
    expect(decision).toEqual({ do: "report", detail: expect.stringContaining(String(status)) });
  });

  it.each([
    ["nothing", undefined],
    ["JSON that isn't ours", { error: "blocked" }],
    ["a problem without a code", { title: "Forbidden", status: 403 }],
    ["a code that isn't in the catalogue", { code: "waf_1020", detail: "blocked" }],
  ])("[AU6] 403 with %s takes no right away: a firewall or a portal may have said it", (_what, body) => {
    const decision = decide({ kind: "answered", status: 403, body }, ROOM);
    expect(decision).toEqual({ do: "report", detail: expect.stringContaining("403") });
  });

  it.each([
    ["as long as it says", 7, 7_000],
    ["a second at least, and doesn't ask on and on", 0, 1_000],
    ["a second where it says a time that is past", -5, 1_000],
    ["an hour at most, for no timer can wait for ever", 4_000_000, 3_600_000],
  ])("[AU5] 429 waits for `Retry-After`: %s", (_what, retryAfter, ms) => {
    expect(decide({ kind: "answered", status: 429, body: undefined, retryAfter }, ROOM)).toEqual({ do: "wait", ms });
  });

  it("[AU7] no network", () => {
    expect(decide({ kind: "no-network" }, ROOM)).toEqual({ do: "retry" });
  });

  it("[AU8] counts a token's life from `exp - iat`, whatever the clocks say", () => {
    expect(readToken(jwt({ iat: 99_000_000_000, exp: 99_000_000_060 }))?.lifeMs).toBe(60_000);
  });
});

/** What a server on the way may answer, and what is made of it. */
async function answerTo(response: () => Response | Promise<Response>): Promise<Answer> {
  return ask(
    {
      fetch: async () => response(),
      origin: "https://team.example",
      timers: { set: (run, ms) => setTimeout(run, ms), clear: (timer) => clearTimeout(timer as NodeJS.Timeout) },
    },
    { method: "POST", url: "/api/rooms/auth", body: {} },
  );
}

const html = { "content-type": "text/html; charset=utf-8" };
const json = { "content-type": "application/json" };

describe("every HTTP call", () => {
  it.each<[string, () => Response | Promise<Response>]>([
    ["a portal's page with 200", () => new Response("<h1>Welcome to Hotel</h1>", { headers: html })],
    ["a portal's page with 401", () => new Response("<h1>Log in</h1>", { status: 401, headers: html })],
    ["a portal's page with 500", () => new Response("<h1>Oops</h1>", { status: 500, headers: html })],
    ["511", () => new Response("", { status: 511 })],
    ["a redirect", () => new Response(null, { status: 302, headers: { location: "http://portal.example" } })],
    ["a redirect as the browser shows it", () => Response.error()],
    ["200 with what isn't JSON", () => new Response("OK", { headers: { "content-type": "text/plain" } })],
    ["200 with half of what was JSON", () => new Response('{"token":"ey', { headers: json })],
    ["a refused connection", () => Promise.reject(new TypeError("fetch failed"))],
  ])("[AU2] takes %s for no network", async (what, response) => {
    const answer = await answerTo(response);
    // An opaque redirect has no status; `Response.error()` stands for it here.
    if (what === "a redirect as the browser shows it") expect(decide(answer, ROOM).do).not.toBe("use");
    else expect(answer).toEqual({ kind: "no-network" });
  });

  it("reads `Retry-After`, and the problem's own before it", async () => {
    const headers = { ...json, "retry-after": "3" };
    const plain = await answerTo(() => new Response("{}", { status: 429, headers }));
    expect(plain).toMatchObject({ status: 429, retryAfter: 3 });
    const body = JSON.stringify({ code: "rate_limited", detail: "", retryAfter: 0.5 });
    const told = await answerTo(() => new Response(body, { status: 429, headers }));
    expect(told).toMatchObject({ status: 429, retryAfter: 0.5 });
  });
});
