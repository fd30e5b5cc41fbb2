// error: what went wrong with the connection; a close follows.
import * as v from "valibot";
import { errorCode } from "../error-schema.ts";

export const errorFrame = v.object({ t: v.literal("error"), code: errorCode, detail: v.string() });
export type ErrorFrame = v.InferOutput<typeof errorFrame>;
