import { describe, expect, it } from "vitest";
import { isOfBuild } from "./of-build.ts";

const ASSETS = new Set(["/index.html", "/assets/start-abc.js", "/assets/start-abc.css"]);
const PAGE = '<script type="module" src="/assets/start-abc.js"></script><link href="/assets/start-abc.css">';
const answer = (body: string, type: string, status = 200): Response =>
  new Response(body, { status, headers: { "content-type": type } });

describe("a file of this build", () => {
  it.each<[string, string, Response, boolean]>([
    ["a script", "/assets/start-abc.js", answer("1", "text/javascript"), true],
    ["a stylesheet", "/assets/start-abc.css", answer("", "text/css; charset=utf-8"), true],
    ["the page that names its files", "/index.html", answer(PAGE, "text/html; charset=utf-8"), true],
    ["a picture", "/icons/icon.svg", answer("<svg/>", "image/svg+xml"), true],
  ])("is %s", async (_what, path, response, is) => {
    expect(await isOfBuild(path, response, ASSETS)).toBe(is);
  });

  it.each<[string, string, Response]>([
    ["a portal's page for a script", "/assets/start-abc.js", answer("<h1>Welcome</h1>", "text/html")],
    ["a portal's page for the page", "/index.html", answer("<h1>Welcome</h1>", "text/html")],
    ["the page of another build", "/index.html", answer('<script src="/assets/start-xyz.js">', "text/html")],
    ["the page with a file too many", "/index.html", answer(`${PAGE}<script src="/assets/more.js">`, "text/html")],
    ["a missing file", "/assets/start-abc.js", answer("{}", "application/problem+json", 404)],
    ["a broken server", "/index.html", answer(PAGE, "text/html", 500)],
    ["a portal's page for a picture", "/icons/icon.svg", answer("<h1>Welcome</h1>", "text/html")],
  ])("[AU2] is not %s", async (_what, path, response) => {
    expect(await isOfBuild(path, response, ASSETS)).toBe(false);
  });
});
