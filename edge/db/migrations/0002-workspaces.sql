-- The index of workspaces, and who is in them. The workspace room is the authority for members and roles;
-- "workspaceMember" only lets the edge list a person's workspaces, and is brought up to date by each answer of a room.
CREATE TABLE "workspace" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "slug" TEXT NOT NULL UNIQUE,
  "name" TEXT NOT NULL,
  "createdBy" TEXT NOT NULL REFERENCES "user" ("id"),
  "createdAt" INTEGER NOT NULL
);

CREATE TABLE "workspaceMember" (
  "userId" TEXT NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE,
  "workspaceId" TEXT NOT NULL REFERENCES "workspace" ("id") ON DELETE CASCADE,
  "role" TEXT NOT NULL,
  "joinedAt" INTEGER NOT NULL,
  PRIMARY KEY ("userId", "workspaceId")
) WITHOUT ROWID;

-- A code is kept as its SHA-256. Uses left are counted from "invitationUse", so that no counter can drift.
CREATE TABLE "invitation" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "codeHash" TEXT NOT NULL UNIQUE,
  "workspaceId" TEXT NOT NULL REFERENCES "workspace" ("id") ON DELETE CASCADE,
  "role" TEXT NOT NULL,
  "channels" TEXT NOT NULL,
  "uses" INTEGER NOT NULL,
  "expiresAt" INTEGER NOT NULL,
  "createdBy" TEXT NOT NULL REFERENCES "user" ("id"),
  "createdAt" INTEGER NOT NULL,
  "revokedAt" INTEGER
);
CREATE INDEX "invitation_workspaceId_idx" ON "invitation" ("workspaceId");

CREATE TABLE "invitationUse" (
  "invitationId" TEXT NOT NULL REFERENCES "invitation" ("id") ON DELETE CASCADE,
  "userId" TEXT NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE,
  "usedAt" INTEGER NOT NULL,
  PRIMARY KEY ("invitationId", "userId")
) WITHOUT ROWID;
