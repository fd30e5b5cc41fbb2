import { describe, expect, it } from "vitest";
import { changedSince } from "./changed-profile.ts";

const BEGUN = { name: "Olga", title: "Mate", status: { emoji: "⚓", text: "in port" } };
const typed =
  (fields: Readonly<Record<string, string>>) =>
  (name: string): string =>
    ({ name: "Olga", title: "Mate", emoji: "⚓", status: "in port", ...fields })[name] ?? "";

describe("a profile that is saved", () => {
  it.each<[string, Readonly<Record<string, string>>, object]>([
    ["nothing where all is as it was", { title: " Mate " }, {}],
    ["the title alone, not the status that another device may have set since", { title: "Chief" }, { title: "Chief" }],
    ["the whole status with half of it", { status: "at sea" }, { status: { emoji: "⚓", text: "at sea" } }],
    ["that there is no status any more", { emoji: "", status: "" }, { status: null }],
  ])("says %s", (_what, fields, change) => {
    expect(changedSince(BEGUN, BEGUN, typed(fields))).toEqual(change);
  });

  it("says nothing of a title or status that isn't there and wasn't", () => {
    expect(changedSince({ name: "Olga" }, { name: "Olga" }, typed({ title: "", emoji: "", status: "" }))).toEqual({});
  });

  it("keeps of the half of a status that was left what another device has set since", () => {
    const now = { ...BEGUN, status: { emoji: "⚓", text: "unloading" } };
    expect(changedSince(BEGUN, now, typed({ emoji: "🚢" }))).toEqual({ status: { emoji: "🚢", text: "unloading" } });
    expect(changedSince(BEGUN, now, typed({}))).toEqual({});
    expect(changedSince(BEGUN, { name: "Olga" }, typed({ emoji: "🚢" }))).toEqual({
      status: { emoji: "🚢", text: "" },
    });
    expect(changedSince(BEGUN, now, typed({ emoji: "", status: "" }))).toEqual({ status: null });
  });
});
