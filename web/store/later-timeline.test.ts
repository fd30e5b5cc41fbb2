import { expect, it } from "vitest";
import type { MessageId } from "#protocol/ids.ts";
import { laterTimeline } from "./later-timeline.ts";
import type { Timeline } from "./timeline-snapshots.ts";

it("shows no message where its code can't be had, and asks for that anew", async () => {
  let isHere = false;
  const shown: string[] = [];
  const opened = { goTo: (id: string) => Promise.resolve(shown.push(id) > 0) } as unknown as Timeline;
  const timeline = laterTimeline(() => (isHere ? Promise.resolve(opened) : Promise.reject(new TypeError("offline"))));
  expect(await timeline.goTo("m" as MessageId)).toBe(false);
  isHere = true;
  expect(await timeline.goTo("m" as MessageId)).toBe(true);
  expect(shown).toEqual(["m"]);
});

it("tells what is asked of it on a way begun before its code was here, in that order", async () => {
  const { promise: loading, resolve: load } = Promise.withResolvers<Timeline>();
  const asked: string[] = [];
  const timeline = laterTimeline(() => loading);
  const going = timeline.goTo("m" as MessageId);
  timeline.stay();
  timeline.leaveWay();
  timeline.goToNewest();
  load({
    goTo: (id: string) => Promise.resolve(asked.push(id) > 0),
    stay: () => asked.push("stay"),
    leaveWay: () => asked.push("leave"),
    goToNewest: () => asked.push("newest"),
  } as unknown as Timeline);
  expect(await going).toBe(true);
  expect(asked).toEqual(["m", "stay", "leave", "newest"]);
});
