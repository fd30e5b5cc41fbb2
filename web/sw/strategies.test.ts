import { afterEach, describe, expect, it, vi } from "vitest";
import { answerConfig, CONFIG_PATH, NOT_PAGES } from "./strategies.ts";

const URL_OF_CONFIG = `https://team.example${CONFIG_PATH}`;
const CONFIG = {
  version: 1,
  authEndpoint: "/api/rooms/auth",
  authCredentials: "same-origin",
  api: "/api",
  rooms: "",
  build: "a",
  signIn: ["password"],
  openSignup: false,
};

afterEach(() => void vi.useRealTimers());

/** One cache, as much of it as is used. */
function cachesWith(kept: unknown, isFull: boolean): { storage: CacheStorage; read: () => Promise<unknown> } {
  let held: Response | undefined = kept === null ? undefined : Response.json(kept);
  const cache = {
    match: async () => held?.clone(),
    put: async (_path: string, response: Response) => {
      if (isFull) throw new DOMException("Made up by a test.", "QuotaExceededError");
      held = response;
    },
  };
  return {
    storage: { open: async () => cache } as unknown as CacheStorage,
    read: async () => (held === undefined ? null : ((await held.clone().json()) as unknown)),
  };
}

const answerOf = async (
  network: () => Response | Promise<Response>,
  kept: unknown = { ...CONFIG, build: "old" },
  isFull = false,
) => {
  const { storage, read } = cachesWith(kept, isFull);
  const answer = await answerConfig(
    new Request(URL_OF_CONFIG),
    async () => network(),
    storage,
    () => undefined,
  );
  return { answer: answer.type === "error" ? null : ((await answer.json()) as unknown), kept: await read() };
};

describe("the configuration", () => {
  const old = { ...CONFIG, build: "old" };

  it("[CF2] comes from the network, and is kept", async () => {
    expect(await answerOf(() => Response.json(CONFIG))).toEqual({ answer: CONFIG, kept: CONFIG });
  });

  it("[CF2] is the last good copy where the network takes its time, and what that brings is kept", async () => {
    vi.useFakeTimers();
    const { storage, read } = cachesWith(old, false);
    const slow = (): Promise<Response> =>
      new Promise((resolve) => setTimeout(() => resolve(Response.json(CONFIG)), 5_000));
    let behind: Promise<unknown> | undefined;
    const asked = answerConfig(new Request(URL_OF_CONFIG), slow, storage, (work) => {
      behind = work;
    });
    await vi.advanceTimersByTimeAsync(4_000);
    expect(await (await asked).json()).toEqual(old);
    expect(behind).toBeDefined();
    await vi.advanceTimersByTimeAsync(1_000);
    await behind;
    expect(await read()).toEqual(CONFIG);
  });

  it("comes from the network where the disk is full, and the copy before stays", async () => {
    expect(await answerOf(() => Response.json(CONFIG), old, true)).toEqual({ answer: CONFIG, kept: old });
  });

  it.each<[string, () => Response | Promise<Response>]>([
    ["there is no network", () => Promise.reject(new TypeError("fetch failed"))],
    ["the edge is broken", () => new Response("", { status: 500 })],
    [
      "a portal answers with a page",
      () => new Response("<h1>Welcome</h1>", { headers: { "content-type": "text/html" } }),
    ],
    ["something answers with other JSON", () => Response.json({ hello: "guest" })],
  ])("[CF2] [AU2] is the last good copy when %s, and that stays", async (_what, network) => {
    expect(await answerOf(network)).toEqual({ answer: old, kept: old });
  });

  it("is an error where there never was one", async () => {
    expect(await answerOf(() => Promise.reject(new TypeError("fetch failed")), null)).toEqual({
      answer: null,
      kept: null,
    });
  });
});

describe("navigations", () => {
  it.each(["/", "/w/team/c/general", "/sign-in", "/join/abc", "/apiary", "/w/api/browse"])(
    "%s opens the shell",
    (path) => {
      expect(NOT_PAGES.some((pattern) => pattern.test(path))).toBe(false);
    },
  );

  it.each([
    "/api",
    "/api/me",
    "/parties/channel/w_c",
    "/hooks/abc",
    "/config.json",
    "/healthz",
    "/sw.js",
    "/.well-known/jwks.json",
  ])("%s goes to the network", (path) => {
    expect(NOT_PAGES.some((pattern) => pattern.test(path))).toBe(true);
  });
});
