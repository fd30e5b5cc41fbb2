import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ChannelId } from "#protocol/ids.ts";
import type { ChannelsSnapshot, OutboxSnapshot } from "../../store/snapshots.ts";
import type { Unfinished } from "../composer/unfinished.ts";
import { dropOne, isListed, outOfSight } from "./out-of-sight.ts";

beforeEach(() => {
  vi.stubGlobal("StorageEvent", Event);
  vi.stubGlobal("dispatchEvent", () => true);
});
afterEach(() => vi.unstubAllGlobals());

const left = (text: string, of: string, more: object = {}): Unfinished =>
  ({ id: `m-${text}`, text, of, over: "", isSent: true, isEdit: false, place: "p", owner: "o", ...more }) as never;
const CHANNELS = { channels: [{ id: "c1" }], isWhole: true } as unknown as ChannelsSnapshot;
const OUTBOX = {
  items: [],
  drafts: [],
  isWhole: true,
  channelsElsewhere: new Map([["c2" as ChannelId, "w"]]),
} as unknown as OutboxSnapshot;

function shown(texts: readonly Unfinished[], channels = CHANNELS, outbox = OUTBOX): unknown {
  const found = outOfSight(texts, channels, outbox);
  if (found === null || found === "unplaced") return found;
  return found.filter((text) => !isListed(outbox, text)).map(({ text }) => text);
}

test("a text of a channel that is in sight in none of a person's workspaces is out of sight, sent or not", () => {
  const texts = [left("Here", "c1"), left("There", "c2"), left("Sent", "c3"), left("Half", "c3", { isSent: false })];
  expect(shown(texts)).toEqual(["Sent", "Half"]);
});

test("nobody can say while a directory comes that may bring its channel, and of another's that is said; where there is no such text, there is none", () => {
  const said = (of: string): unknown[] => [
    shown([left("Sent", of)], { ...CHANNELS, isWhole: false }),
    shown([left("Sent", of)], CHANNELS, { ...OUTBOX, isWhole: false }),
    shown([left("Sent", of)], CHANNELS, { ...OUTBOX, channelsElsewhere: null }),
    shown([left("Sent", of)], { ...CHANNELS, isWhole: false }, { ...OUTBOX, channelsElsewhere: null }),
  ];
  expect(said("c3")).toEqual([null, null, "unplaced", null]);
  expect(said("c1")).toEqual([[], [], [], []]);
});

test("what the Outbox lists as an edit, a message or a draft isn't listed twice", () => {
  const post = { change: { op: "message.post", args: { id: "m-Sent" } } };
  const outbox = { ...OUTBOX, items: [post], drafts: [{ channel: "c3", text: "Half\nTheirs" }] } as never;
  const texts = [left("Sent", "c3"), left("Half", "c3"), left("Half a thought", "c3")];
  expect(shown([...texts, left("Edit", "c3", { isEdit: true }), left(" ", "c3")], CHANNELS, outbox)).toEqual([
    "Half a thought",
  ]);
});

test("one that is given up goes without the others that its tab left", () => {
  const words = [left("One", "c3"), left("Two", "c3")].map(({ id, text, over, isSent }) => ({
    id,
    text,
    over,
    isSent,
  }));
  const stored = new Map([["p", JSON.stringify(words)]]);
  vi.stubGlobal("localStorage", {
    getItem: (place: string) => stored.get(place) ?? null,
    setItem: (place: string, value: string) => stored.set(place, value),
    removeItem: (place: string) => stored.delete(place),
  });
  dropOne(left("One", "c3"));
  expect(JSON.parse(stored.get("p")!)).toEqual([words[1]]);
  dropOne(left("Two", "c3"));
  expect(stored.size).toBe(0);
});
