// What the deployment says about itself, to anybody: configuration ([CF1]), health, public keys.
import { Hono } from "hono";
import type { Config } from "#protocol/http.ts";
import { publicKeys } from "../auth/room-tokens.ts";
import { configOf, type Env } from "../env.ts";
import { json } from "../http/reply.ts";

/** Long enough that rooms don't ask for each token, short enough that a new key is known before it is needed. */
const KEYS_MAX_AGE_S = 300;

export const deployment = new Hono<{ Bindings: Env }>();

deployment.get("/config.json", (c) => {
  const { AUTH_ENDPOINT, AUTH_CREDENTIALS, ROOMS_ORIGIN, BUILD, OPEN_SIGNUP, LINK_TIMING } = configOf(c.env);
  const config: Config = {
    version: 1,
    authEndpoint: AUTH_ENDPOINT,
    authCredentials: AUTH_CREDENTIALS,
    api: "/api",
    rooms: ROOMS_ORIGIN,
    build: BUILD,
    signIn: ["password"],
    openSignup: OPEN_SIGNUP,
    ...(Object.keys(LINK_TIMING).length > 0 ? { timing: LINK_TIMING } : {}),
  };
  return json(config, 200, new Headers({ "cache-control": "no-cache" }));
});

deployment.get("/healthz", (c) => json({ ok: true, build: configOf(c.env).BUILD }));

deployment.get("/.well-known/jwks.json", (c) =>
  json(publicKeys(c.env), 200, new Headers({ "cache-control": `public, max-age=${KEYS_MAX_AGE_S}` })),
);
