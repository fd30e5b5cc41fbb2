// What is said of a link while the message it leads to isn't here.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ChannelId, MessageId } from "#protocol/ids.ts";
import type { FillStatus, ReadinessSnapshot } from "../store/readiness.ts";
import type { ConnectionSnapshot } from "../store/snapshots.ts";
import { cell } from "../store/source.ts";
import type { TimelineMessage } from "../store/timeline-snapshots.ts";
import type { Loaded } from "../store/view.ts";
import { o } from "../ui/strings-offline.ts";
import { COMING_SAID_AFTER_MS, tellOf } from "./reaching.ts";

const SAVING: FillStatus = { state: "paused", why: "saving", until: null };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function following(filling: FillStatus, isHeld = false) {
  const message = cell<Loaded<TimelineMessage | null>>({
    state: "ready",
    value: isHeld ? ({ id: "m" } as TimelineMessage) : null,
  });
  const ready = (now: FillStatus) => ({ state: "ready" as const, value: { filling: now } as ReadinessSnapshot });
  const readiness = cell<Loaded<ReadinessSnapshot>>(ready(filling));
  const connection = cell<ConnectionSnapshot>({ state: "live" });
  const { promise: going, resolve: arrive } = Promise.withResolvers<boolean>();
  const told: (string | null)[] = [null];
  const stay = vi.fn();
  const stop = tellOf(
    { message: () => message, readiness, connection },
    "c" as ChannelId,
    "m" as MessageId,
    going,
    stay,
    (change) => void told.push(change(told.at(-1) ?? null)),
  );
  return {
    told,
    stay,
    connects: (now: "live" | "offline" | "signed-out", how: { readonly isChosen?: true } = {}) =>
      connection.set({ state: now, ...how } as ConnectionSnapshot),
    becomes: (now: FillStatus) => readiness.set(ready(now)),
    arrives: async (isThere: boolean) => {
      arrive(isThere);
      await going;
    },
    leaves: stop,
  };
}

it("says at once what a message waits for where filling is paused, and no more when it is there", async () => {
  const { told, stay, becomes, arrives } = following(SAVING);
  const waits = o.linked.waits(o.linked.why.saving);
  expect(told).toEqual([null, waits]);
  expect(stay).toHaveBeenCalled();
  becomes({ state: "filling" });
  becomes({ ...SAVING, why: "slow" });
  expect(told.slice(2)).toEqual([null, o.linked.waits(o.linked.why.slow)]);
  await arrives(true);
  expect(told.at(-1)).toBe(null);
});

it("says that it can't be had once that is known, and nothing before where it may come", async () => {
  for (const [state, says] of [
    ["live", o.linked.notFound],
    ["offline", o.linked.notHere],
  ] as const) {
    const { told, connects, arrives } = following({ state: "filling" });
    expect(told).toEqual([null]);
    connects(state);
    await arrives(false);
    expect(told.at(-1)).toBe(says);
  }
});

it("says that it is being fetched where that takes longer than a moment", async () => {
  const { told, stay, becomes, arrives } = following({ state: "filling" });
  vi.advanceTimersByTime(COMING_SAID_AFTER_MS - 1);
  expect(told).toEqual([null]);
  expect(stay).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(told.at(-1)).toBe(o.linked.comes);
  expect(stay).toHaveBeenCalled();
  becomes(SAVING);
  expect(told.at(-1)).toBe(o.linked.waits(o.linked.why.saving));
  becomes({ state: "filling" });
  expect(told.at(-1)).toBe(o.linked.comes);
  // All that the person wants kept; this is older, and fetched because a link leads to it.
  becomes({ state: "done" });
  expect(told.at(-1)).toBe(o.linked.comes);
  await arrives(true);
  expect(told.at(-1)).toBe(null);
});

it("says that it waits for a connection, also where all that is kept is here, and no more when there is one", async () => {
  const { told, connects, arrives } = following({ state: "done" });
  connects("offline");
  expect(told.at(-1)).toBe(o.linked.waits(o.linked.why.offline));
  connects("offline", { isChosen: true });
  expect(told.at(-1)).toBe(o.linked.waits("you chose to work offline"));
  connects("signed-out");
  expect(told.at(-1)).toBe(o.linked.waits(o.linked.why["signed-out"]));
  connects("live");
  expect(told.at(-1)).toBe(null);
  await arrives(true);
  expect(told).toHaveLength(5);
});

it("doesn't say so any more to who is there, or elsewhere", async () => {
  const [there, elsewhere] = [following({ state: "filling" }), following({ state: "filling" })];
  await there.arrives(true);
  elsewhere.leaves();
  vi.advanceTimersByTime(COMING_SAID_AFTER_MS);
  expect([there.told, elsewhere.told]).toEqual([[null], [null]]);
});

it("says nothing of one that is here, nor again what was closed or where something else is said", async () => {
  const here = following(SAVING, true);
  await here.arrives(true);
  expect(here.told).toEqual([null]);
  const { told, becomes, arrives } = following(SAVING);
  told.push(null);
  becomes({ ...SAVING, until: 5 });
  expect(told.slice(2)).toEqual([null]);
  told.push("This device is full.");
  await arrives(true);
  expect(told.at(-1)).toBe("This device is full.");
});

it("is silent when somebody goes elsewhere", async () => {
  const { told, becomes, leaves, arrives } = following(SAVING);
  leaves();
  expect(told.at(-1)).toBe(null);
  becomes({ ...SAVING, why: "slow" });
  await arrives(false);
  expect(told.at(-1)).toBe(null);
});

it("takes back that one can't be had when somebody goes elsewhere, and leaves what else was said", async () => {
  const { told, leaves, arrives } = following({ state: "filling" });
  await arrives(false);
  leaves();
  expect(told).toEqual([null, o.linked.notFound, null]);
  const other = following({ state: "filling" });
  await other.arrives(false);
  other.told.push("This device is full.");
  other.leaves();
  expect(other.told.at(-1)).toBe("This device is full.");
});
