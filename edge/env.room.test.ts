import { describe, expect, it } from "vitest";
import { deploy, ORIGIN } from "../party/test/edge/deployment.ts";
import { logged } from "../party/test/edge/log.ts";
import { ConfigError, configOf, type Env } from "./env.ts";

const { env } = await deploy();
const without = (name: keyof Env): Env =>
  Object.fromEntries(Object.entries(env).filter(([key]) => key !== name)) as unknown as Env;

describe("configuration", () => {
  it("has a default for everything but secrets, and starts closed", () => {
    expect(configOf({ ...without("OPEN_SIGNUP") })).toMatchObject({
      OPEN_SIGNUP: false,
      ALLOWED_ORIGINS: [],
      ROOMS_ORIGIN: "",
      AUTH_ENDPOINT: "/api/rooms/auth",
      AUTH_CREDENTIALS: "same-origin",
      ROOM_TOKEN_SECONDS: 3_600,
      SIGN_IN_TRIES: 10,
      SIGN_IN_TRIES_PER_ADDRESS: 300,
    });
  });

  it("reads origins one by one", () => {
    const { ALLOWED_ORIGINS } = configOf({
      ...env,
      ALLOWED_ORIGINS: " https://a.example,https://b.example:8443\nhttp://localhost:5173 ",
    });
    expect(ALLOWED_ORIGINS).toEqual(["https://a.example", "https://b.example:8443", "http://localhost:5173"]);
  });

  it.each(["BETTER_AUTH_SECRET", "SERVICE_SECRET", "ROOM_KEYS"] as const)("names %s when it is missing", (name) => {
    expect(() => configOf(without(name))).toThrow(new ConfigError(`${name} is missing`));
  });

  it.each<[keyof Env, string]>([
    ["BETTER_AUTH_SECRET", "short"],
    ["SERVICE_SECRET", "short"],
    ["ROOM_KEYS", "not-json-hunter2"],
    ["ROOM_KEYS", "[]"],
    ["ROOM_KEYS", '{"keys":[]}'],
    ["ROOM_KEYS", '{"keys":[{"kty":"RSA","kid":"hunter2"}]}'],
    ["ROOM_KEYS", '{"keys":[{"kty":"EC","crv":"P-256","kid":"a","x":"hunter2","y":"b"}]}'],
    ["OPEN_SIGNUP", "hunter2"],
    ["SETUP_CODE_HASH", "hunter2"],
    ["ALLOWED_ORIGINS", "https://hunter2.example/path"],
    ["ALLOWED_ORIGINS", "*"],
    ["ALLOWED_ORIGINS", "null"],
    ["ROOMS_ORIGIN", "hunter2.example"],
    ["AUTH_CREDENTIALS", "hunter2"],
    ["ROOM_TOKEN_SECONDS", "hunter2"],
    ["SIGN_IN_TRIES", "1.5"],
  ])("names %s when it is %j, and doesn't repeat it", (name, value) => {
    const attempt = (): unknown => configOf({ ...env, [name]: value });
    expect(attempt).toThrow(new RegExp(`^${name}`));
    expect(attempt).not.toThrow(/hunter2/);
  });

  it("is the deployment's fault when wrong: 500 with a reference, and the variable in the log alone", async () => {
    const broken = await deploy({ ROOM_KEYS: "hunter2" });
    const { answer, log } = await logged(() => broken.fetch("/healthz"));
    expect(answer.status).toBe(500);
    const body = await answer.json<{ code: string; reference: string }>();
    expect(body).toEqual({
      title: expect.any(String),
      status: 500,
      code: "internal",
      detail: `Something broke on our side (${body.reference}).`,
      reference: expect.stringMatching(/^[0-9a-f]{8}$/),
    });
    expect(log).toHaveLength(1);
    expect(JSON.parse(log[0] ?? "")).toMatchObject({
      level: "error",
      reference: body.reference,
      method: "GET",
      route: "/healthz",
      error: { name: "ConfigError", message: "ROOM_KEYS is not JSON" },
    });
  });
});

describe("GET /config.json", () => {
  it("[CF1] describes a deployment where all is on one host", async () => {
    const { fetch } = await deploy({ BUILD: "2026-11-21" });
    const answer = await fetch("/config.json");
    expect(answer.headers.get("cache-control")).toBe("no-cache");
    expect(await answer.json()).toEqual({
      version: 1,
      authEndpoint: "/api/rooms/auth",
      authCredentials: "same-origin",
      api: "/api",
      rooms: "",
      build: "2026-11-21",
      signIn: ["password"],
      openSignup: true,
    });
  });

  it("[CF1] names rooms and an authorisation endpoint on other origins, and pages may connect there", async () => {
    const { fetch } = await deploy({
      ROOMS_ORIGIN: "https://rooms.example",
      AUTH_ENDPOINT: "https://id.example/causeway/auth",
      AUTH_CREDENTIALS: "include",
      OPEN_SIGNUP: "",
    });
    expect(await (await fetch("/config.json")).json()).toMatchObject({
      rooms: "https://rooms.example",
      authEndpoint: "https://id.example/causeway/auth",
      authCredentials: "include",
      openSignup: false,
    });
  });

  it("[CF1] says how patient its clients' links are, where that was asked for", async () => {
    const { fetch } = await deploy({ LINK_TIMING: '{"heartbeatAnswerMs":800,"other":1}' });
    expect(await (await fetch("/config.json")).json()).toMatchObject({ timing: { heartbeatAnswerMs: 800 } });
    const { fetch: broken } = await deploy({ LINK_TIMING: '{"heartbeatAnswerMs":-1}' });
    expect((await broken("/config.json")).status).toBe(500);
  });

  it("health says which build answers", async () => {
    const { fetch } = await deploy({ BUILD: "b1" });
    const answer = await fetch(`${ORIGIN}/healthz`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ ok: true, build: "b1" });
  });
});
