// What a workspace's policy says until somebody changes it.
import type { WorkspacePolicy } from "./workspace.ts";

export const DEFAULT_POLICY: WorkspacePolicy = {
  createPublic: "members",
  createPrivate: "members",
  invite: "admins",
  editWindowMs: null,
  retentionDays: null,
};
