import { describe, expect, it } from "vitest";
import type { Workspace } from "#protocol/entities/workspace.ts";
import { DEFAULT_POLICY } from "#protocol/entities/default-policy.ts";
import { OLGA, outcome, Team, type Person } from "../test/people.ts";

/** A team with one of each role, in the workspace room. */
async function everybody(): Promise<{ team: Team } & Record<"owner" | "admin" | "member" | "guest" | "bot", Person>> {
  const team = await Team.make();
  const enter = async (name: string, role: "admin" | "member" | "guest" | "bot"): Promise<Person> =>
    team.enter(await team.invite(name, role, ["general"]), team.workspace);
  return {
    team,
    owner: await team.enter(OLGA, team.workspace),
    admin: await enter("adam", "admin"),
    member: await enter("mara", "member"),
    guest: await enter("gail", "guest"),
    bot: await enter("bert", "bot"),
  };
}

type Who = "owner" | "admin" | "member" | "guest" | "bot";
const ROLES: readonly Who[] = ["owner", "admin", "member", "guest", "bot"];

/** Op, its arguments, and what each role is answered, in the order of ROLES. */
const TABLE: readonly [op: string, args: (who: Who) => unknown, answers: string][] = [
  [
    "channel.create",
    (who) => ({ id: `pub-${who}`, access: "public", name: `pub-${who}` }),
    "ack ack ack forbidden forbidden",
  ],
  [
    "channel.create",
    (who) => ({ id: `prv-${who}`, access: "private", name: `prv-${who}` }),
    "ack ack ack forbidden forbidden",
  ],
  ["channel.update", (who) => ({ id: "general", topic: `By ${who}` }), "ack ack ack forbidden forbidden"],
  ["channel.update", (who) => ({ id: "general", name: `by-${who}` }), "ack ack forbidden forbidden forbidden"],
  ["channel.update", () => ({ id: "general", posting: "admins" }), "ack none forbidden forbidden forbidden"],
  ["channel.archive", () => ({ id: "general", on: true }), "ack none forbidden forbidden forbidden"],
  ["channel.join", () => ({ id: "open" }), "ack ack ack not_found not_found"],
  ["channel.members", (who) => ({ id: "open", add: [`extra-${who}`] }), "ack ack ack not_found not_found"],
  ["channel.members", (who) => ({ id: "general", remove: [`in-${who}`] }), "ack ack forbidden forbidden forbidden"],
  ["channel.prefs", () => ({ channel: "general", starred: true }), "ack ack ack ack ack"],
  ["read.set", () => ({ channel: "general", seq: 1, base: 0 }), "ack ack ack ack ack"],
  ["draft.set", () => ({ channel: "general", text: "x" }), "ack ack ack ack ack"],
  ["draft.set", () => ({ channel: "secret", text: "x" }), "not_found not_found not_found not_found not_found"],
  ["member.update", (who) => ({ name: `New ${who}` }), "ack ack ack ack ack"],
  ["member.role", (who) => ({ user: `extra-${who}`, role: "admin" }), "ack ack forbidden forbidden forbidden"],
  ["member.role", (who) => ({ user: `in-${who}`, role: "owner" }), "ack forbidden forbidden forbidden forbidden"],
  ["member.role", () => ({ user: "second-owner", role: "member" }), "ack none none none none"],
  ["member.activate", (who) => ({ user: `off-${who}`, on: false }), "ack ack forbidden forbidden forbidden"],
  ["member.activate", () => ({ user: "third-owner", on: false }), "ack forbidden forbidden forbidden forbidden"],
];

describe("[OP13] what each role may do", () => {
  it.each(TABLE.map((row) => [`${row[0]} ${JSON.stringify(row[1]("member"))}`, ...row] as const))(
    "%s",
    async (_title, op, args, answers) => {
      const { team, ...people } = await everybody();
      await team.invite("sam");
      await prepare(team, people.owner);
      const given: string[] = [];
      for (const role of ROLES) given.push(outcome(await people[role].op(op, args(role))));
      expect(given.join(" ")).toBe(answers);
    },
  );
});

async function prepare(team: Team, owner: Person): Promise<void> {
  const names = ROLES.flatMap((role) => [`extra-${role}`, `in-${role}`, `off-${role}`]);
  for (const name of [...names, "second-owner", "third-owner"]) await team.invite(name);
  const sam = await team.enter("sam" as typeof OLGA, team.workspace);
  await sam.op("channel.create", { id: "secret", access: "private", name: "secret" });
  await owner.op("channel.create", { id: "open", access: "public", name: "open" });
  await owner.op("channel.leave", { id: "open" });
  await owner.op("member.role", { user: "second-owner", role: "owner" });
  await owner.op("member.role", { user: "third-owner", role: "owner" });
}

describe("private channels", () => {
  it("are managed by their creator; others in them may set the topic and bring people", async () => {
    const { member, admin, owner } = await everybody();
    await member.op("channel.create", { id: "own", access: "private", name: "own", members: ["adam"] });
    expect(outcome(await member.op("channel.update", { id: "own", name: "renamed" }))).toBe("ack");
    expect(outcome(await admin.op("channel.members", { id: "own", add: ["gail"] }))).toBe("ack");
    expect(outcome(await member.op("channel.members", { id: "own", remove: ["gail"] }))).toBe("ack");
    expect(outcome(await member.op("channel.archive", { id: "own", on: true }))).toBe("ack");
    expect(outcome(await owner.op("channel.update", { id: "own", topic: "x" }))).toBe("not_found");
    expect(outcome(await owner.op("channel.join", { id: "own" }))).toBe("not_found");
  });

  it("a policy may leave creating to admins", async () => {
    const { team, member, admin } = await everybody();
    const key = `e:workspace:${team.workspace.workspace}`;
    const workspace = team.directory.storage.rows.get(key) as Workspace;
    const policy = { ...DEFAULT_POLICY, createPrivate: "admins" as const };
    team.directory.storage.rows.set(key, { ...workspace, policy });
    team.directory.sleep();
    expect(outcome(await member.op("channel.create", { id: "p1", access: "private", name: "p1" }))).toBe("forbidden");
    expect(outcome(await member.op("channel.create", { id: "p2", access: "public", name: "p2" }))).toBe("ack");
    expect(outcome(await admin.op("channel.create", { id: "p3", access: "private", name: "p3" }))).toBe("ack");
  });
});

describe("names", () => {
  it("are unique among public and one's own private channels", async () => {
    const { member, admin, owner } = await everybody();
    await member.op("channel.create", { id: "c1", access: "private", name: "plans" });
    expect(outcome(await member.op("channel.create", { id: "c2", access: "public", name: "plans" }))).toBe(
      "name_taken",
    );
    expect(outcome(await admin.op("channel.create", { id: "c3", access: "private", name: "plans" }))).toBe("ack");
    expect(outcome(await owner.op("channel.create", { id: "c4", access: "public", name: "general" }))).toBe(
      "name_taken",
    );
    expect(outcome(await owner.op("channel.create", { id: "c5", access: "public", name: "news" }))).toBe("ack");
    expect(outcome(await owner.op("channel.update", { id: "c5", name: "general" }))).toBe("name_taken");
    expect(outcome(await owner.op("channel.update", { id: "c5", name: "news" }))).toBe("none");
  });

  it("[OP14] an id that stands is without effect for the same access and creator, else invalid", async () => {
    const { member, admin } = await everybody();
    const args = { id: "c1", access: "public", name: "plans" };
    expect(outcome(await member.op("channel.create", args))).toBe("ack");
    expect(outcome(await member.op("channel.create", { ...args, name: "other" }))).toBe("none");
    expect(outcome(await member.op("channel.create", { ...args, access: "private" }))).toBe("invalid");
    expect(outcome(await admin.op("channel.create", args))).toBe("invalid");
  });

  it("[OP16] no op but dm.open makes the id of a direct message", async () => {
    const { owner } = await everybody();
    const args = { id: "dm-abcdefghijklmnopqrstuvwxyz", access: "private", name: "dm" };
    expect(outcome(await owner.op("channel.create", args))).toBe("invalid");
  });
});

describe("the last owner", () => {
  it("can't be demoted, be deactivated or leave", async () => {
    const { owner } = await everybody();
    expect(outcome(await owner.op("member.role", { user: OLGA, role: "admin" }))).toBe("last_owner");
    expect(outcome(await owner.op("member.activate", { user: OLGA, on: false }))).toBe("last_owner");
    expect(outcome(await owner.op("member.role", { user: "adam", role: "owner" }))).toBe("ack");
    expect(outcome(await owner.op("member.activate", { user: OLGA, on: false }))).toBe("ack");
    expect(owner.wire.closed).toEqual({ code: 4403, reason: "forbidden" });
  });
});

describe("read positions", () => {
  it("[OP17] go forward only, unless by hand", async () => {
    const { member } = await everybody();
    const set = (seq: number, base: number, unread?: boolean): Promise<string> =>
      member
        .op("read.set", { channel: "general", seq, base, ...(unread ? { unread } : {}) })
        .then((answer) => outcome(answer));
    const rev = (): number => member.wire.last("ack").rev ?? 0;
    expect(await set(10, 0)).toBe("ack");
    const first = rev();
    expect(await set(5, first)).toBe("none");
    expect(await set(3, 0, true)).toBe("none");
    expect(await set(3, first, true)).toBe("ack");
    const marked = rev();
    expect(await set(12, first)).toBe("none");
    // Nor where a part of it was read since: the rest of what was marked is still unread.
    expect(await set(5, marked)).toBe("ack");
    expect(await set(12, first)).toBe("none");
    expect(await set(12, marked)).toBe("ack");
  });
});
