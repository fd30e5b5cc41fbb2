// The index of workspaces and of who is in them. Members and roles are the workspace room's; what stands here is
// a copy for listing, brought up to date by what the room answers.
import type { UserId, WorkspaceId } from "#protocol/ids.ts";
import type { Role } from "#protocol/roles.ts";

export interface WorkspaceRow {
  readonly id: WorkspaceId;
  readonly slug: string;
  readonly name: string;
}

export async function hasAnyWorkspace(db: D1Database): Promise<boolean> {
  return (await db.prepare(`SELECT 1 FROM "workspace" LIMIT 1`).first()) !== null;
}

export async function findWorkspace(db: D1Database, id: string): Promise<WorkspaceRow | null> {
  return db.prepare(`SELECT "id", "slug", "name" FROM "workspace" WHERE "id" = ?`).bind(id).first<WorkspaceRow>();
}

/** Null where somebody else made it, too. */
export async function workspaceMadeBy(db: D1Database, id: WorkspaceId, user: UserId): Promise<WorkspaceRow | null> {
  return db
    .prepare(`SELECT "id", "slug", "name" FROM "workspace" WHERE "id" = ? AND "createdBy" = ?`)
    .bind(id, user)
    .first<WorkspaceRow>();
}

/**
 * The first that this person began and that nobody is in, as far as is known here.
 * @param name null: whatever its name
 */
export async function workspaceBegun(db: D1Database, user: UserId, name: string | null): Promise<WorkspaceRow | null> {
  return db
    .prepare(
      `SELECT "id", "slug", "name" FROM "workspace" WHERE "createdBy" = ?1 AND (?2 IS NULL OR "name" = ?2)
       AND NOT EXISTS (SELECT 1 FROM "workspaceMember" WHERE "workspaceId" = "workspace"."id")
       ORDER BY "createdAt", "id" LIMIT 1`,
    )
    .bind(user, name)
    .first<WorkspaceRow>();
}

/** Of the given slugs, those that are taken. */
export async function takenSlugs(db: D1Database, slugs: readonly string[]): Promise<ReadonlySet<string>> {
  const places = slugs.map(() => "?").join(", ");
  const { results } = await db
    .prepare(`SELECT "slug" FROM "workspace" WHERE "slug" IN (${places})`)
    .bind(...slugs)
    .all<{ slug: string }>();
  return new Set(results.map((row) => row.slug));
}

/**
 * Takes the slug for a workspace that is being made; false when somebody else has it.
 * @param first only where there is no workspace yet, so that one set-up code makes one workspace
 */
export async function reserveWorkspace(
  db: D1Database,
  row: WorkspaceRow,
  by: { readonly user: UserId; readonly at: number; readonly first: boolean },
): Promise<boolean> {
  const onlyFirst = by.first ? `WHERE NOT EXISTS (SELECT 1 FROM "workspace")` : "WHERE true";
  const { meta } = await db
    .prepare(
      `INSERT INTO "workspace" ("id", "slug", "name", "createdBy", "createdAt") SELECT ?, ?, ?, ?, ? ${onlyFirst}
       ON CONFLICT DO NOTHING`,
    )
    .bind(row.id, row.slug, row.name, by.user, by.at)
    .run();
  return meta.changes > 0;
}

/** The room could not be made: the slug is free again. Asked for once more, it may have been made all the same: it stays. */
export async function releaseWorkspace(db: D1Database, id: WorkspaceId): Promise<void> {
  await db
    .prepare(
      `DELETE FROM "workspace" WHERE "id" = ?
       AND NOT EXISTS (SELECT 1 FROM "workspaceMember" WHERE "workspaceId" = "workspace"."id")`,
    )
    .bind(id)
    .run();
}

export async function workspacesOf(db: D1Database, user: UserId): Promise<(WorkspaceRow & { readonly role: Role })[]> {
  const { results } = await db
    .prepare(
      `SELECT w."id", w."slug", w."name", m."role" FROM "workspaceMember" m
       JOIN "workspace" w ON w."id" = m."workspaceId" WHERE m."userId" = ? AND m."role" <> ?
       ORDER BY m."joinedAt", w."id"`,
    )
    .bind(user, OUT)
    .all<WorkspaceRow & { role: Role }>();
  return results;
}

/**
 * In the place of the role of somebody who was taken out: nobody tells the edge when they are let in again, and a
 * workspace that isn't in one's list is one whose room is never asked.
 */
const OUT = "out";
/** The room of each is asked; nobody is taken out of many, nor cut off at making many. */
const UNSURE_ASKED_MAX = 10;

/**
 * Workspaces that one may be in without its being known here: was taken out of, or began, whose room may have been made
 * all the same.
 */
export async function workspacesUnsure(db: D1Database, user: UserId): Promise<WorkspaceId[]> {
  const { results } = await db
    .prepare(
      `SELECT "workspaceId" FROM "workspaceMember" WHERE "userId" = ?1 AND "role" = ?2
       UNION ALL
       SELECT "id" FROM "workspace" WHERE "createdBy" = ?1 AND NOT EXISTS
         (SELECT 1 FROM "workspaceMember" WHERE "userId" = ?1 AND "workspaceId" = "workspace"."id")
       LIMIT ?3`,
    )
    .bind(user, OUT, UNSURE_ASKED_MAX)
    .all<{ workspaceId: WorkspaceId }>();
  return results.map(({ workspaceId }) => workspaceId);
}

async function roleIn(db: D1Database, workspace: WorkspaceId, user: UserId): Promise<Role | null> {
  const row = await db
    .prepare(`SELECT "role" FROM "workspaceMember" WHERE "userId" = ? AND "workspaceId" = ? AND "role" <> ?`)
    .bind(user, workspace, OUT)
    .first<{ role: Role }>();
  return row?.role ?? null;
}

/** Writes only what differs from what the room just said; null: no longer a member. */
export async function noteRole(
  db: D1Database,
  workspace: WorkspaceId,
  user: UserId,
  role: Role | null,
  at: number,
): Promise<void> {
  const known = await roleIn(db, workspace, user);
  if (known === role) return;
  if (role === null) {
    await db
      .prepare(`UPDATE "workspaceMember" SET "role" = ? WHERE "userId" = ? AND "workspaceId" = ?`)
      .bind(OUT, user, workspace)
      .run();
    return;
  }
  await db
    .prepare(
      `INSERT INTO "workspaceMember" ("userId", "workspaceId", "role", "joinedAt") VALUES (?, ?, ?, ?)
       ON CONFLICT ("userId", "workspaceId") DO UPDATE SET "role" = excluded."role"`,
    )
    .bind(user, workspace, role, at)
    .run();
}
