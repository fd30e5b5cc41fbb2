import { describe, expect, it } from "vitest";
import { deploy } from "../party/test/edge/deployment.ts";
import type { Env } from "./env.ts";

const FILES: Readonly<Record<string, [type: string, body: string]>> = {
  "/index.html": ["text/html; charset=utf-8", "<!doctype html><title>Causeway</title>"],
  "/assets/main-abc123.js": ["text/javascript", "export {};"],
  "/sw.js": ["text/javascript", "self.skipWaiting;"],
  "/manifest.webmanifest": ["application/manifest+json", "{}"],
};

/** What the platform's asset binding does with `html_handling` and `not_found_handling` at "none". */
const ASSETS = {
  fetch: async (request: Request) => {
    const [type, body] = FILES[new URL(request.url).pathname] ?? [];
    if (type === undefined || body === undefined) return new Response("", { status: 404 });
    const etag = `"${body.length}"`;
    if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers: { etag } });
    return new Response(request.method === "HEAD" ? null : body, { headers: { "content-type": type, etag } });
  },
} as unknown as Env["ASSETS"];

const { fetch } = await deploy({
  ASSETS,
  ROOMS_ORIGIN: "https://rooms.example",
  AUTH_ENDPOINT: "https://id.example/auth",
});
const HTML = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };

describe("pages", () => {
  it.each(["/", "/welcome", "/w/acme/c/0190b2d8-0000-7000-8000-000000000000", "/w/acme/c/x/t/y", "/join/Ab_-9"])(
    "%s is the shell, asked for again each time",
    async (path) => {
      const page = await fetch(path, HTML);
      expect(page.status).toBe(200);
      expect(await page.text()).toContain("<title>Causeway</title>");
      expect(page.headers.get("cache-control")).toBe("no-cache");
    },
  );

  it("answers HEAD like GET, without a body", async () => {
    const page = await fetch("/w/acme", { ...HTML, method: "HEAD" });
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toContain("text/html");
    expect(await page.text()).toBe("");
    expect((await fetch("/assets/gone.js", { method: "HEAD" })).status).toBe(404);
  });

  it("keeps hashed files for ever and asks for the rest again", async () => {
    const cacheOf = async (path: string) => (await fetch(path)).headers.get("cache-control");
    expect(await cacheOf("/assets/main-abc123.js")).toBe("public, max-age=31536000, immutable");
    expect(await cacheOf("/sw.js")).toBe("no-cache");
    expect(await cacheOf("/manifest.webmanifest")).toBe("no-cache");
    const { headers } = await fetch("/sw.js");
    const again = await fetch("/sw.js", { headers: { "if-none-match": headers.get("etag") ?? "" } });
    expect(again.status).toBe(304);
  });

  it.each([
    "/assets/old-def456.js",
    "/assets/old",
    "/favicon.ico",
    "/w/acme/x.png",
    "/.env",
    "/%2e%2e/%2e%2e/etc/passwd.txt",
  ])("answers the missing %s with a 404 that nobody keeps, never with the shell", async (path) => {
    const missing = await fetch(path, HTML);
    expect(missing.status).toBe(404);
    expect(missing.headers.get("cache-control")).toBe("no-store");
    expect(await missing.json()).toMatchObject({ code: "not_found" });
  });

  it("never takes the shell for a missing file, even where the platform offers it", async () => {
    const offering = {
      fetch: () => ASSETS.fetch(new Request("https://chat.example/index.html")),
    } as unknown as Env["ASSETS"];
    const on = await deploy({ ASSETS: offering });
    expect((await on.fetch("/assets/old-def456.js")).status).toBe(404);
    expect((await on.fetch("/w/acme", HTML)).status).toBe(200);
  });

  it.each([
    ["/api/nothing", HTML],
    ["/api", HTML],
    ["/w/acme", { method: "POST" }],
    ["/w/acme", { headers: { accept: "application/json" } }],
  ])("answers %s %j with a problem", async (path, init) => {
    const answer = await fetch(path, init);
    expect(answer.status).toBe(404);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
  });
});

describe("security headers", () => {
  const directives = async (path: string): Promise<Record<string, string>> => {
    const policy = (await fetch(path, HTML)).headers.get("content-security-policy") ?? "";
    return Object.fromEntries(
      policy.split("; ").map((rule) => [rule.split(" ", 1)[0] ?? "", rule.slice(rule.indexOf(" ") + 1)]),
    );
  };

  it.each(["/", "/sw.js", "/assets/main-abc123.js"])("let code come from here alone, on %s", async (path) => {
    expect(await directives(path)).toMatchObject({
      "default-src": "'none'",
      "script-src": "'self'",
      "style-src": "'self'",
      "worker-src": "'self'",
      "frame-ancestors": "'none'",
      "base-uri": "'none'",
      "require-trusted-types-for": "'script'",
      "trusted-types": "causeway-worker",
    });
  });

  it("let pages connect to here and to what is configured, nowhere else", async () => {
    const { "connect-src": sources = "" } = await directives("/");
    expect(sources.split(" ").toSorted()).toEqual(
      ["'self'", "https://id.example", "https://rooms.example", "wss://chat.example", "wss://rooms.example"].toSorted(),
    );
  });

  it("hold no exception for inline code or styles", async () => {
    const policy = JSON.stringify(await directives("/"));
    expect(policy).not.toMatch(/unsafe|\*/);
  });

  it("stand on pages and on answers of the API", async () => {
    const page = (await fetch("/", HTML)).headers;
    expect(page.get("x-content-type-options")).toBe("nosniff");
    expect(page.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
    expect(page.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(page.get("permissions-policy")).toContain("geolocation=()");
    expect(page.get("x-frame-options")).toBe("DENY");
    expect(page.get("strict-transport-security")).toContain("max-age=");
    for (const path of ["/api/me", "/api/nothing", "/config.json", "/.well-known/jwks.json"]) {
      const { headers } = await fetch(path);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
    }
    const plain = await fetch("http://127.0.0.1:8787/", HTML);
    expect(plain.headers.get("strict-transport-security")).toBeNull();
    expect(plain.headers.get("content-security-policy")).toContain("ws://127.0.0.1:8787");
  });
});
