import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import type { Entity, EntityKey, Unstamped } from "../entities/entity.ts";
import type { ChannelId, UserId } from "../ids.ts";
import { OPS, type OpName } from "./all.ts";
import type { Lookup, OpContext } from "./op.ts";

const key = ({ kind, id }: EntityKey): string => `${kind}:${id}`;

/** A room in its barest form: entities by key, one rev an op. Lets a reducer see only what it said it reads. */
class Table {
  readonly entities = new Map<string, Entity>();
  rev = 0;
  seq = 0;

  /** `args` as they come over the wire: the op's own schema parses them. */
  run(name: OpName, args: Readonly<Record<string, unknown>>, ctx: Partial<OpContext> = {}): Unstamped[] {
    const op = OPS[name] as unknown as {
      reads: (args: unknown, ctx: OpContext) => EntityKey[];
      apply: (args: unknown, ctx: OpContext, lookup: Lookup) => Unstamped[];
      args: v.GenericSchema;
    };
    const full = { actor: "ana" as UserId, at: 1_000, rev: this.rev + 1, seq: this.seq + 1, ...ctx };
    const parsed = v.parse(op.args, args);
    const readable = new Set(op.reads(parsed, full).map(key));
    const lookup = ((kind, id) => {
      expect(readable).toContain(key({ kind, id }));
      return this.entities.get(key({ kind, id }));
    }) as Lookup;
    const made = op.apply(parsed, full, lookup);
    if (made.length > 0) this.rev += 1;
    for (const entity of made) {
      if (entity.kind === "message" && !this.entities.has(key(entity))) this.seq += 1;
      this.entities.set(key(entity), { ...entity, rev: this.rev });
    }
    return made;
  }

  get(kind: Entity["kind"], id: string): Entity | undefined {
    return this.entities.get(key({ kind, id }));
  }
}

const post = (id: string, more: object = {}): Record<string, unknown> => ({ id, text: "hello", ...more });
const person = (name: string): UserId => name as UserId;

describe("message.post", () => {
  it("[OP14] is without effect when its id is there already", () => {
    const table = new Table();
    table.run("message.post", post("m"));
    expect(table.run("message.post", post("m", { text: "again" }))).toEqual([]);
  });

  it("counts replies on the root, with the latest few people, each once", () => {
    const table = new Table();
    table.run("message.post", post("root"));
    for (const [n, actor] of ["a", "b", "c", "d", "e", "f", "b"].entries())
      table.run("message.post", post(`r${n}`, { root: "root" }), { actor: person(actor), at: 2_000 + n });
    expect(table.get("message", "root")).toMatchObject({
      replies: { count: 7, lastAt: 2_006, people: ["b", "f", "e", "d", "c"] },
    });
  });

  it("clamps a written-at time more than 5 minutes ahead of the room, and keeps one from long ago", () => {
    const table = new Table();
    table.run("message.post", post("ahead"), { at: 1_000_000, writtenAt: 1_300_001 });
    table.run("message.post", post("behind"), { at: 1_000_000, writtenAt: 1 });
    expect(table.get("message", "ahead")).toMatchObject({ writtenAt: 1_000_000 });
    expect(table.get("message", "behind")).toMatchObject({ writtenAt: 1 });
  });
});

describe("message.react", () => {
  it("sets, so that twice is once and off without on is nothing", () => {
    const table = new Table();
    table.run("message.post", post("m"));
    const args = { id: "m", emoji: "👍", on: true };
    expect(table.run("message.react", { ...args, on: false })).toEqual([]);
    expect(table.run("message.react", args)).toHaveLength(1);
    expect(table.run("message.react", args)).toEqual([]);
    table.run("message.react", args, { actor: person("bo") });
    expect(table.get("message", "m")).toMatchObject({ reactions: { "👍": ["ana", "bo"] } });
    table.run("message.react", { ...args, on: false });
    table.run("message.react", { ...args, on: false }, { actor: person("bo") });
    expect(table.get("message", "m")).not.toHaveProperty("reactions");
  });

  it("keeps the order of the chips when somebody joins in", () => {
    const table = new Table();
    table.run("message.post", post("m"));
    for (const [emoji, actor] of [
      ["👍", "a"],
      ["🎉", "a"],
      ["👍", "b"],
    ] as const)
      table.run("message.react", { id: "m", emoji, on: true }, { actor: person(actor) });
    const message = table.get("message", "m");
    expect(message?.kind === "message" && !message.deleted && Object.keys(message.reactions ?? {})).toEqual([
      "👍",
      "🎉",
    ]);
  });
});

describe("message.pin", () => {
  it("sets who and when once, takes it off once, and goes with the message's text", () => {
    const table = new Table();
    const pin = (on: boolean) => table.run("message.pin", { id: "m", on }, { actor: person("bo"), at: 7 });
    expect(pin(true)).toEqual([]);
    table.run("message.post", post("m"));
    expect(pin(false)).toEqual([]);
    expect(pin(true)).toMatchObject([{ pinned: { by: "bo", at: 7 } }]);
    expect(pin(true)).toEqual([]);
    table.run("message.edit", { id: "m", text: "still", base: 1 });
    expect(table.get("message", "m")).toMatchObject({ pinned: { by: "bo", at: 7 } });
    expect(pin(false)).toHaveLength(1);
    expect(table.get("message", "m")).not.toHaveProperty("pinned");
    pin(true);
    table.run("message.delete", { id: "m" });
    expect(table.get("message", "m")).not.toHaveProperty("pinned");
    expect(pin(true)).toEqual([]);
  });
});

describe("message.delete", () => {
  it("[RV3] leaves a tombstone with its place and nothing of its contents, and beats a late edit", () => {
    const table = new Table();
    table.run("message.post", post("m", { text: "secret", mentions: ["bo"] }));
    table.run("message.react", { id: "m", emoji: "👍", on: true });
    table.run("message.delete", { id: "m" }, { at: 9 });
    expect(table.get("message", "m")).toEqual({
      kind: "message",
      id: "m",
      rev: 3,
      seq: 1,
      author: "ana",
      createdAt: 1_000,
      deleted: true,
      deletedAt: 9,
    });
    expect(table.run("message.edit", { id: "m", text: "late", base: 1 })).toEqual([]);
    expect(table.run("message.react", { id: "m", emoji: "👍", on: true })).toEqual([]);
    expect(table.run("message.delete", { id: "m" })).toEqual([]);
  });
});

describe("message.edit", () => {
  it("counts edits and takes the new mentions for the old", () => {
    const table = new Table();
    table.run("message.post", post("m", { mentions: ["bo"] }));
    table.run("message.edit", { id: "m", text: "new", base: 1 }, { at: 5_000 });
    expect(table.get("message", "m")).toMatchObject({ text: "new", edits: 1, editedAt: 5_000 });
    expect(table.get("message", "m")).not.toHaveProperty("mentions");
    expect(table.run("message.edit", { id: "m", text: "new", base: 1 })).toEqual([]);
  });

  it("keeps beside it what another edit said that it had not seen, until the next one", () => {
    const table = new Table();
    table.run("message.post", post("m"));
    table.run("message.react", { id: "m", emoji: "👍", on: true });
    table.run("message.edit", { id: "m", text: "one", base: 1 }, { at: 5_000 });
    expect(table.get("message", "m")).toMatchObject({ textRev: 3 });
    expect(table.get("message", "m")).not.toHaveProperty("replaced");
    table.run("message.edit", { id: "m", text: "other", base: 2 }, { at: 6_000 });
    expect(table.get("message", "m")).toMatchObject({ text: "other", replaced: { text: "one", at: 5_000 } });
    table.run("message.edit", { id: "m", text: "both", base: 4 }, { at: 7_000 });
    expect(table.get("message", "m")).not.toHaveProperty("replaced");
  });

  it.each([
    ["other", "third", "one\nother"],
    ["one, and other", "none", "one\none, and other"],
    ["one\nand other", "third", "one\nand other"],
    ["other", "third\none", "other"],
  ])("keeps all that met: one, then %s, then %s", (second, third, replaced) => {
    const table = new Table();
    table.run("message.post", post("m"));
    table.run("message.edit", { id: "m", text: "one", base: 1 }, { at: 5_000 });
    table.run("message.edit", { id: "m", text: second, base: 1 }, { at: 6_000 });
    table.run("message.edit", { id: "m", text: third, base: 1 }, { at: 7_000 });
    expect(table.get("message", "m")).toMatchObject({ text: third, replaced: { text: replaced, at: 6_000 } });
  });

  it("[RV8] of several that are too long together keeps the last", () => {
    const table = new Table();
    table.run("message.post", post("m"));
    for (const letter of ["a", "b", "c"])
      table.run("message.edit", { id: "m", text: letter.repeat(3_000), base: 1 }, { at: 5_000 });
    expect(table.get("message", "m")).toMatchObject({ replaced: { text: "b".repeat(3_000) } });
  });

  it("[RV8] says only that there was one where both texts together are too long for one message", () => {
    const table = new Table();
    table.run("message.post", post("m"));
    table.run("message.edit", { id: "m", text: "a".repeat(5_000), base: 1 }, { at: 5_000 });
    table.run("message.edit", { id: "m", text: "b".repeat(5_000), base: 1 });
    expect(table.get("message", "m")).toMatchObject({ replaced: { at: 5_000 } });
    expect(table.get("message", "m")).not.toHaveProperty("replaced.text");
  });
});

describe("channels", () => {
  const create = { id: "c", access: "private", name: "launch", members: ["bo", "ana"] };

  it("are made with their creator and the people named, each once", () => {
    const table = new Table();
    expect(table.run("channel.create", create)).toHaveLength(3);
    expect(table.run("channel.create", create)).toEqual([]);
  });

  it("[OP16] are never made under the id of a direct message", () => {
    expect(v.safeParse(OPS["channel.create"].args, { ...create, id: "dm-abc" }).success).toBe(false);
  });

  it("change only where something differs", () => {
    const table = new Table();
    table.run("channel.create", create);
    expect(table.run("channel.update", { id: "c", name: "launch" })).toEqual([]);
    expect(table.run("channel.update", { id: "c", retentionDays: 30 })).toHaveLength(1);
    expect(table.run("channel.update", { id: "c", retentionDays: 0 })).toHaveLength(1);
    expect(table.get("channel", "c")).not.toHaveProperty("retentionDays");
    expect(table.run("channel.archive", { id: "c", on: true })).toHaveLength(1);
    expect(table.run("channel.archive", { id: "c", on: true })).toEqual([]);
    expect(table.run("channel.archive", { id: "c", on: false })).toHaveLength(1);
  });

  it("are joined and left once, and again", () => {
    const table = new Table();
    table.run("channel.create", create);
    const carol = { actor: person("carol") };
    expect(table.run("channel.join", { id: "c" }, carol)).toHaveLength(1);
    expect(table.run("channel.join", { id: "c" }, carol)).toEqual([]);
    expect(table.run("channel.leave", { id: "c" }, carol)).toHaveLength(1);
    expect(table.run("channel.leave", { id: "c" }, carol)).toEqual([]);
    expect(table.run("channel.join", { id: "c" }, carol)).toHaveLength(1);
    const change = { id: "c", add: ["dan", "carol"], remove: ["bo", "eve"] };
    expect(table.run("channel.members", change).map((made) => made.id)).toEqual(["c.dan", "c.bo"]);
  });
});

describe("read.set", () => {
  const at = (seq: number, base: number, unread?: true): Record<string, unknown> => ({
    channel: "c",
    seq,
    base,
    ...(unread ? { unread } : {}),
  });

  it("[OP17] never goes backwards by itself, whatever arrives in whatever order", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50)), (places) => {
        const table = new Table();
        for (const seq of places) table.run("read.set", at(seq, 0));
        const read = table.get("read", "ana.c");
        expect(read?.kind === "read" ? read.seq : -1).toBe(Math.max(-1, ...places));
      }),
    );
  });

  it("[OP17] goes back by hand, once, and holds against devices that didn't know", () => {
    const table = new Table();
    table.run("read.set", at(10, 0));
    expect(table.run("read.set", at(4, 99, true))).toEqual([]);
    expect(table.run("read.set", at(4, 1, true))).toHaveLength(1);
    expect(table.run("read.set", at(20, 1))).toEqual([]);
    expect(table.run("read.set", at(20, 2))).toHaveLength(1);
    expect(table.get("read", "ana.c")).not.toHaveProperty("unreadRev");
  });

  it("[OP17] goes back by hand though the room has moved it since, and not once its owner has", () => {
    const table = new Table();
    table.run("read.set", at(10, 0));
    const moved = { kind: "read", id: "ana.c", user: "ana" as UserId, channel: "c" as ChannelId, seq: 11 } as const;
    const put = (entity: Entity): unknown => table.entities.set(key(entity), entity);
    // As its owner set it, as an earlier move left it, and as it is.
    for (const base of [1, 5, 7]) {
      put({ ...moved, rev: 7, setRev: 1 });
      expect(table.run("read.set", at(4, base, true))).toHaveLength(1);
      expect(table.get("read", "ana.c")).not.toHaveProperty("setRev");
    }
    put({ ...moved, rev: 7, setRev: 3 });
    for (const base of [2, 8]) expect(table.run("read.set", at(4, base, true))).toEqual([]);
    put({ ...moved, rev: 9, setRev: 1 });
    table.rev = 9;
    table.run("read.set", at(12, 9));
    expect(table.run("read.set", at(4, 1, true))).toEqual([]);
  });
});

describe("drafts", () => {
  it("are kept, changed and taken away", () => {
    const table = new Table();
    const set = (text: string) => table.run("draft.set", { channel: "c", text });
    expect(set("")).toEqual([]);
    expect(set("half a thou")).toHaveLength(1);
    expect(set("half a thou")).toEqual([]);
    expect(set("")).toMatchObject([{ deleted: true }]);
    expect(set("")).toEqual([]);
  });
});

describe("members", () => {
  it("change their own profile, and clear a status", () => {
    const table = new Table();
    table.entities.set("member:ana", {
      kind: "member",
      id: person("ana"),
      rev: 0,
      role: "member",
      name: "Ana",
      joinedAt: 0,
    });
    expect(table.run("member.update", { name: "Ana" })).toEqual([]);
    expect(table.run("member.update", { status: { emoji: "🌊", text: "at sea" } })).toHaveLength(1);
    expect(table.run("member.update", { status: null })).toHaveLength(1);
    expect(table.get("member", "ana")).not.toHaveProperty("status");
    expect(table.run("member.role", { user: "ana", role: "admin" })).toHaveLength(1);
    expect(table.run("member.activate", { user: "ana", on: false })).toMatchObject([{ deactivatedAt: 1_000 }]);
    expect(table.run("member.activate", { user: "ana", on: false })).toEqual([]);
    expect(table.run("member.activate", { user: "ana", on: true })).toHaveLength(1);
    expect(table.run("channel.prefs", { channel: "c", starred: true })).toHaveLength(1);
    expect(table.run("channel.prefs", { channel: "c", starred: true })).toEqual([]);
  });
});
