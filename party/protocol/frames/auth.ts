// auth: a fresh token over the open socket, for the same user ([AU9]); authed answers.
import * as v from "valibot";
import { instant } from "../entities/base.ts";
import { TOKEN_MAX_CHARS } from "../limits.ts";
import { q, you } from "./base.ts";

export const auth = v.object({ t: v.literal("auth"), q, token: v.pipe(v.string(), v.maxLength(TOKEN_MAX_CHARS)) });
export type Auth = v.InferOutput<typeof auth>;

export const authed = v.object({ t: v.literal("authed"), q, expiresAt: instant, you });
export type Authed = v.InferOutput<typeof authed>;

/** Whenever role or rights change. */
export const youFrame = v.object({ t: v.literal("you"), ...you.entries });
export type YouFrame = v.InferOutput<typeof youFrame>;
