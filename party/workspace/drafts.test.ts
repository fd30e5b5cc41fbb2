// Drafts in the room of the workspace, told of from before the last word on them.
import { expect, it } from "vitest";
import type { LiveDraft } from "#protocol/entities/my-state.ts";
import { GENERAL, OLGA, outcome, Team } from "../test/people.ts";

it("[OP18] empties a draft that was sent, and not another one that says the same", async () => {
  const team = await Team.make();
  const olga = await team.enter(OLGA, team.workspace);
  const standing = (): Partial<LiveDraft> | undefined =>
    team.directory.storage.rows.get(`e:draft:${OLGA}.${GENERAL}`) as Partial<LiveDraft> | undefined;
  const set = async (text: string, more: object): Promise<string> =>
    outcome(await olga.op("draft.set", { channel: GENERAL, text, ...more }));
  await set("ok", { over: "" });
  const first = standing()?.since;
  await team.town.pass(1_000);
  await set("", { over: "ok", since: first });
  await set("ok", { over: "" });
  expect(standing()).toMatchObject({ text: "ok" });
  // The other device sent the first.
  expect(await set("", { over: "ok", since: first })).toBe("none");
  expect(standing()).toMatchObject({ text: "ok" });
  // A device that knows of no confirmed one, or an older one, doesn't say.
  expect(await set("", { over: "ok" })).toBe("ack");
  await set("ok", { over: "" });
  expect(await set("", { over: "ok", since: standing()?.since })).toBe("ack");
  expect(standing()).toMatchObject({ deleted: true });
});

it("[OP18] says when a draft was begun: while it is written on, and anew of what is left where a part was sent", async () => {
  const team = await Team.make();
  const olga = await team.enter(OLGA, team.workspace);
  const since = (): number | undefined =>
    (team.directory.storage.rows.get(`e:draft:${OLGA}.${GENERAL}`) as Partial<LiveDraft>).since;
  const set = async (text: string, over: string): Promise<number | undefined> => {
    await team.town.pass(1_000);
    await olga.op("draft.set", { channel: GENERAL, text, over });
    return since();
  };
  const begun = await set("one", "");
  expect(await set("one\ntwo", "one")).toBe(begun);
  const left = await set("", "one");
  expect(left).not.toBe(begun);
  expect(await set("two, and more", "two")).toBe(left);
});
