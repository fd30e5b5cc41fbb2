// The workspace itself: one entity in its room, with the policy that roles are read by.
import * as v from "valibot";
import { workspaceId } from "../ids.ts";
import { instant, rev } from "./base.ts";

/** Who may do what beyond their role (product, point 6). `members`: everybody but guests and bots. */
export const workspacePolicy = v.object({
  createPublic: v.picklist(["members", "admins"]),
  createPrivate: v.picklist(["members", "admins"]),
  invite: v.picklist(["members", "admins"]),
  /** How long an author may edit, in ms; null for ever. */
  editWindowMs: v.nullable(instant),
  retentionDays: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1))),
});
export type WorkspacePolicy = v.InferOutput<typeof workspacePolicy>;

export const workspace = v.object({
  kind: v.literal("workspace"),
  id: workspaceId,
  rev,
  slug: v.string(),
  name: v.string(),
  icon: v.exactOptional(v.string()),
  createdAt: instant,
  policy: workspacePolicy,
});
export type Workspace = v.InferOutput<typeof workspace>;
