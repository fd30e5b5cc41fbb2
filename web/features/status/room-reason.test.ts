import { expect, it } from "vitest";
import { failure } from "#protocol/errors.ts";
import type { StatusSnapshot } from "../../store/snapshots.ts";
import { outboxSays } from "../../ui/strings-outbox.ts";
import { reportOf } from "./report.ts";
import { reasonOfRoom } from "./room-reason.ts";

const { detail } = failure("forbidden");
const workspace = { name: "workspace:w", detail };

it.each<[string, Parameters<typeof reasonOfRoom>[0], string | undefined]>([
  ["the workspace is named where it is the workspace", workspace, outboxSays.shutOut],
  ["and a channel where it is a channel", { name: "channel:w_c", detail }, detail],
  ["another reason stands", { ...workspace, detail: "Its clock is wrong." }, "Its clock is wrong."],
  ["and none is none", { name: "workspace:w" }, undefined],
])("a room that lets nobody in says why: %s", (_what, room, said) => {
  expect(reasonOfRoom(room)).toBe(said);
});

it("the report says of the workspace what the page says", () => {
  const status = { rooms: [workspace], events: [] } as unknown as StatusSnapshot;
  expect(reportOf(status)).toContain(outboxSays.shutOut);
});
