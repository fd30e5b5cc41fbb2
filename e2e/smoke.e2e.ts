/** The first thing to look at when something is wrong: is it served, does it open, can two people talk? */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Rig, startBrowser } from "./rig/browser.ts";
import { makeTeam } from "./rig/people.ts";
import { startProxy } from "./rig/proxy.ts";
import { startApp } from "./rig/server.ts";
import type { App } from "./rig/app.ts";

let app: App;
let rig: Rig;

beforeAll(async () => {
  [app, rig] = await Promise.all([startApp(), startBrowser()]);
});

afterAll(async () => {
  await Promise.all([app.stop(), rig.close()]);
});

describe("what is served", () => {
  const get = (path: string, accept = "*/*"): Promise<Response> =>
    fetch(new URL(path, app.url), { headers: { accept } });

  test("the page, with a strict policy, at every address that is a screen", async () => {
    for (const path of ["/", "/welcome", "/w/harbour/c/general"]) {
      const page = await get(path, "text/html");
      expect(page.status, path).toBe(200);
      expect(page.headers.get("content-type")).toContain("text/html");
      expect(page.headers.get("content-security-policy")).toContain("script-src 'self'");
    }
  });

  test.each([
    ["/manifest.webmanifest", /json/],
    ["/sw.js", /javascript/],
    ["/icons/icon-192.png", /png/],
    ["/icons/icon-512.png", /png/],
    ["/icons/icon-maskable-512.png", /png/],
    ["/icons/icon.svg", /svg/],
    ["/config.json", /json/],
    ["/healthz", /json/],
    ["/.well-known/jwks.json", /json/],
  ])("%s", async (path, type) => {
    const file = await get(path);
    expect(file.status).toBe(200);
    expect(file.headers.get("content-type")).toMatch(type);
  });

  test("the manifest names icons that are there", async () => {
    const { icons } = (await (await get("/manifest.webmanifest")).json()) as { icons: { src: string }[] };
    expect(icons.length).toBeGreaterThan(0);
    for (const { src } of icons) expect((await get(src)).status, src).toBe(200);
  });

  test("a chunk that is gone is a 404 that nobody keeps, never the page", async () => {
    const gone = await get("/assets/gone-12345678.js");
    expect(gone.status).toBe(404);
    expect(gone.headers.get("cache-control")).toContain("no-store");
    expect(gone.headers.get("content-type")).not.toContain("text/html");
  });
});

describe("in the browser", () => {
  test("a newcomer sees the welcome screen, and again with the network gone", async () => {
    const proxy = await startProxy(app.port);
    const { context, page, faults } = await rig.open();
    await page.goto(proxy.url);
    await page.waitForURL("**/welcome");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
    });
    proxy.cut();
    await page.reload();
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
    await proxy.close();
  });

  test("two people talk, the server is killed and started, and each message is there once", async () => {
    const { general, people, workspace } = await makeTeam(app.url, ["Ana", "Bo"]);
    const windows = await Promise.all(
      people.map(async (person) => {
        const window = await rig.open();
        await person.signInto(window.context);
        await window.page.goto(`${app.url}/w/${workspace.slug}/c/${general}`);
        await window.page.getByRole("textbox", { name: "Message #general" }).waitFor();
        return window;
      }),
    );
    const [ana, bo] = windows.map(({ page }) => ({
      say: async (text: string) => {
        const composer = page.getByRole("textbox", { name: "Message #general" });
        await composer.fill(text);
        await composer.press("Enter");
      },
      reads: async (text: string) => {
        const message = page
          .getByRole("log", { name: "Messages in #general" })
          .getByRole("article")
          .filter({ hasText: text });
        await message.and(page.locator('[data-delivery="sent"]')).waitFor({ timeout: 45_000 });
        expect(await message.count()).toBe(1);
      },
    }));
    if (!ana || !bo) throw new Error("two windows were opened");
    await ana.say("The crane is up.");
    await bo.reads("The crane is up.");
    await app.kill();
    await bo.say("On my way.");
    await app.start();
    await ana.reads("On my way.");
    await bo.reads("On my way.");
    await ana.reads("The crane is up.");
    for (const { context, faults } of windows) {
      expect(faults).toEqual([]);
      await context.close();
    }
  });
});
