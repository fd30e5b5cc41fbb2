// A person (or bot) in a workspace; its id is the user's. Deactivated members stay, so that old messages keep a name.
import * as v from "valibot";
import { userId } from "../ids.ts";
import { role } from "../role-schema.ts";
import { instant, rev } from "./base.ts";

export const memberStatus = v.object({ emoji: v.string(), text: v.string(), until: v.exactOptional(instant) });

export const member = v.object({
  kind: v.literal("member"),
  id: userId,
  rev,
  role,
  name: v.string(),
  avatar: v.exactOptional(v.string()),
  title: v.exactOptional(v.string()),
  status: v.exactOptional(memberStatus),
  timezone: v.exactOptional(v.string()),
  joinedAt: instant,
  deactivatedAt: v.exactOptional(instant),
});
export type Member = v.InferOutput<typeof member>;
