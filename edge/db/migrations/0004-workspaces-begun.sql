-- Looked up at each listing: a workspace that one began and isn't in by "workspaceMember" may have been made all the same.
CREATE INDEX "workspace_createdBy_idx" ON "workspace" ("createdBy");
