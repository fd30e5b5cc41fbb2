// Invitations: kept by the hash of their code, with the people who used them. Uses left are what is allowed less
// the people counted, so a use is one row that is there or not.
import type { ChannelId, UserId, WorkspaceId } from "#protocol/ids.ts";
import type { Role } from "#protocol/roles.ts";

export interface NewInvitation {
  readonly id: string;
  readonly codeHash: string;
  readonly workspace: WorkspaceId;
  readonly role: Role;
  readonly channels: readonly ChannelId[];
  readonly uses: number;
  readonly expiresAt: number;
  readonly createdBy: UserId;
  readonly createdAt: number;
}

export interface Invitation {
  readonly id: string;
  readonly workspace: { readonly id: WorkspaceId; readonly slug: string; readonly name: string };
  readonly role: Role;
  readonly channels: readonly ChannelId[];
  readonly uses: number;
  readonly used: number;
  readonly expiresAt: number;
  readonly revokedAt: number | null;
  readonly invitedBy: { readonly id: UserId; readonly name: string };
}

interface InvitationRow {
  readonly id: string;
  readonly workspaceId: WorkspaceId;
  readonly slug: string;
  readonly workspaceName: string;
  readonly role: Role;
  readonly channels: string;
  readonly uses: number;
  readonly used: number;
  readonly expiresAt: number;
  readonly revokedAt: number | null;
  readonly inviter: UserId;
  readonly inviterName: string;
}

export async function storeInvitation(db: D1Database, made: NewInvitation): Promise<void> {
  await db
    .prepare(
      `INSERT INTO "invitation" ("id", "codeHash", "workspaceId", "role", "channels", "uses", "expiresAt", "createdBy", "createdAt")
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .bind(
      made.id,
      made.codeHash,
      made.workspace,
      made.role,
      JSON.stringify(made.channels),
      made.uses,
      made.expiresAt,
      made.createdBy,
      made.createdAt,
    )
    .run();
}

export async function findInvitation(db: D1Database, codeHash: string): Promise<Invitation | null> {
  const row = await db
    .prepare(
      `SELECT i."id", i."workspaceId", w."slug", w."name" AS "workspaceName", i."role", i."channels", i."uses",
         (SELECT count(*) FROM "invitationUse" u WHERE u."invitationId" = i."id") AS "used",
         i."expiresAt", i."revokedAt", p."id" AS "inviter", p."name" AS "inviterName"
       FROM "invitation" i JOIN "workspace" w ON w."id" = i."workspaceId" JOIN "user" p ON p."id" = i."createdBy"
       WHERE i."codeHash" = ?`,
    )
    .bind(codeHash)
    .first<InvitationRow>();
  if (!row) return null;
  const { workspaceId, slug, workspaceName, channels, inviter, inviterName, ...rest } = row;
  // Written by storeInvitation alone.
  const named = JSON.parse(channels) as ChannelId[];
  return {
    ...rest,
    workspace: { id: workspaceId, slug, name: workspaceName },
    channels: named,
    invitedBy: { id: inviter, name: inviterName },
  };
}

/** When this person was counted, by this call or an earlier one; null when the invitation no longer lets anybody in. */
export async function countUse(
  db: D1Database,
  invitation: string,
  user: UserId,
  now: number,
): Promise<"now" | "before" | null> {
  const counted = await db.batch<{ one: number }>([
    db
      .prepare(
        `INSERT INTO "invitationUse" ("invitationId", "userId", "usedAt")
         SELECT i."id", ?2, ?3 FROM "invitation" i
         WHERE i."id" = ?1 AND i."revokedAt" IS NULL AND i."expiresAt" > ?3
           AND (SELECT count(*) FROM "invitationUse" u WHERE u."invitationId" = i."id") < i."uses"
         ON CONFLICT DO NOTHING`,
      )
      .bind(invitation, user, now),
    db
      .prepare(`SELECT 1 AS "one" FROM "invitationUse" WHERE "invitationId" = ? AND "userId" = ?`)
      .bind(invitation, user),
  ]);
  if ((counted[1]?.results.length ?? 0) === 0) return null;
  return counted[0]?.meta.changes === 0 ? "before" : "now";
}

export async function takeBackUse(db: D1Database, invitation: string, user: UserId): Promise<void> {
  await db
    .prepare(`DELETE FROM "invitationUse" WHERE "invitationId" = ? AND "userId" = ?`)
    .bind(invitation, user)
    .run();
}
