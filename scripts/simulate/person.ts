/** One of the crew: the real client on a device of their own, behind a line of their own. */
import type { Failure } from "#protocol/errors.ts";
import type { ChannelId, UserId } from "#protocol/ids.ts";
import type { Result } from "#protocol/result.ts";
import type { Client, WorkspaceClient } from "../../web/sync/client.ts";
import { databaseOf } from "../../web/store/index-database.ts";
import { openClient } from "../../web/sync/open-client.ts";
import type { Ports } from "../../web/sync/ports.ts";
import type { WorkspaceRef } from "../../web/store/snapshots.ts";
import { createProfile, type ProfileOptions } from "../../web/test/node-ports.ts";
import type { Line } from "./line.ts";
import { openReplica, type Replica } from "./replica.ts";
import { mustSee } from "./until.ts";

const SEEN_WITHIN_MS = 60_000;

export interface Person {
  readonly name: string;
  readonly user: UserId;
  readonly email: string;
  readonly password: string;
  readonly workspace: WorkspaceClient;
  readonly ref: WorkspaceRef;
  readonly replica: Replica;
  /** With this person's session. */
  readonly fetch: Ports["fetch"];
  /** What an operating system and a browser say when somebody looks at the page again. */
  readonly focus: () => void;
  /** Null for who looks on from the server's side. */
  readonly line: Line | null;
  readonly isLive: () => boolean;
  /** Ops in the outbox, waiting or refused. */
  readonly waitingCount: () => number;
  /** In a line, for whoever wonders why this one isn't done. */
  readonly describe: () => string;
  readonly leave: () => Promise<void>;
}

export interface PersonOptions extends Pick<ProfileOptions, "origin" | "webSocket" | "random" | "report"> {
  readonly name: string;
  readonly line: Line | null;
  /** How to get into a workspace once signed up. */
  readonly enter: (client: Client) => Promise<WorkspaceRef>;
}

/** Signs up, gets into the workspace and opens it. */
export async function startPerson(options: PersonOptions): Promise<Person> {
  const profile = createProfile(options);
  const tab = profile.openTab();
  const client = await openClient(tab.ports);
  const account = { name: options.name, email: `${crypto.randomUUID()}@crew.example`, password: crypto.randomUUID() };
  must(`${options.name} signs up`, await client.account.signUp(account));
  const ref = await options.enter(client);
  const workspace = await opened(client, ref.slug);
  const { channels, outbox, connection, status } = workspace;
  const stops = [workspace.workspace, channels, outbox, connection, status].map((view) =>
    view.subscribe(() => undefined),
  );
  workspace.commands.look(null);
  await mustSee(`${options.name}'s workspace`, () => workspace.workspace.snapshot().state === "ready", SEEN_WITHIN_MS);
  const session = client.account.session.snapshot();
  if (session.state === "nobody") throw new Error(`${options.name} signed up and isn't signed in`);
  const replica = await openReplica(profile.indexedDB, databaseOf(session), ref.id);
  return {
    ...account,
    user: session.person.user,
    workspace,
    ref,
    replica,
    fetch: tab.ports.fetch,
    focus: () => tab.happen("focus"),
    line: options.line,
    isLive: () => connection.snapshot().state === "live",
    waitingCount: () => {
      const snapshot = outbox.snapshot();
      return snapshot.state === "ready" ? snapshot.value.items.length : 0;
    },
    describe: () => {
      const { connection: link, rooms, outbox: left } = status.snapshot();
      const each = rooms.map((room) => `${room.label} ${room.link} ${room.cursor ?? "-"}/${room.head ?? "-"}`);
      return `${options.name}: ${link.state}, ${left?.waiting ?? "unknown"} waiting; ${each.join(", ")}`;
    },
    leave: async () => {
      for (const stop of stops) stop();
      replica.close();
      await client.close();
    },
  };
}

/** The workspace of a client that has just heard of it. */
async function opened(client: Client, slug: string): Promise<WorkspaceClient> {
  const stop = client.account.session.subscribe(() => undefined);
  await mustSee(`the workspace ${slug}`, () => client.open(slug) !== null, SEEN_WITHIN_MS);
  stop();
  const workspace = client.open(slug);
  if (workspace === null) throw new Error(`The workspace ${slug} went away`);
  return workspace;
}

/** Waits until this person's device knows the channels, and joins them. */
export async function joinAll({ name, workspace }: Person, channels: readonly ChannelId[]): Promise<void> {
  const rows = (): ReadonlyMap<string, boolean> => {
    const snapshot = workspace.channels.snapshot();
    return new Map(snapshot.state === "ready" ? snapshot.value.channels.map(({ id, isJoined }) => [id, isJoined]) : []);
  };
  await mustSee(`${name} to see the channels`, () => channels.every((channel) => rows().has(channel)), SEEN_WITHIN_MS);
  for (const channel of channels) {
    if (rows().get(channel) !== true) must(`${name} joins`, await workspace.commands.joinChannel(channel));
  }
  await mustSee(
    `${name} to be in the channels`,
    () => channels.every((channel) => rows().get(channel) === true),
    SEEN_WITHIN_MS,
  );
}

/** For what can't fail here but by a bug. */
export function must<Value>(what: string, result: Result<Value, Failure>): Value {
  if (result.ok) return result.value;
  throw new Error(`${what}: ${result.error.code}, ${result.error.detail}`);
}
