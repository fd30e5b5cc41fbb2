import { expect, it } from "vitest";
import { failure } from "#protocol/errors.ts";
import type { ChannelId } from "#protocol/ids.ts";
import { outboxSays } from "../ui/strings-outbox.ts";
import { reasonOf } from "./refusal-reason.ts";

const channel = "c" as ChannelId;
const shutOut = { channel, change: { op: "message.post" }, refusal: failure("forbidden") } as const;
const IN = [{ id: channel, isJoined: true }];
const { detail } = failure("forbidden");
const OFF = { state: "refused" } as const;

it.each<[string, Parameters<typeof reasonOf>, string]>([
  ["whoever is in again is told so", [shutOut, IN, { state: "live" }], outboxSays.inAgain],
  ["not while that may be of yesterday", [shutOut, IN, { state: "offline" }], detail],
  ["nor who is out of it", [shutOut, [{ id: channel, isJoined: false }], { state: "live" }], detail],
  ["nor who doesn't see it", [shutOut, [], { state: "live" }], detail],
  [
    "another reason stands",
    [{ ...shutOut, refusal: { code: "forbidden", detail: "Only admins may post here." } }, IN, { state: "live" }],
    "Only admins may post here.",
  ],
  ["out of the workspace", [{ ...shutOut, change: { op: "channel.archive" } }, IN, OFF], outboxSays.shutOut],
  ["and in it again", [{ ...shutOut, change: { op: "channel.archive" } }, IN, { state: "live" }], outboxSays.inAgain],
  ["an open channel was archived", [{ ...shutOut, isReasonPast: true }, IN, { state: "live" }], outboxSays.openAgain],
])("what was refused says why, as it stands now: %s", (_what, given, said) => {
  expect(reasonOf(...given)).toBe(said);
});
