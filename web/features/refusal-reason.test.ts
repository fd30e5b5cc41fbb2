import { expect, it } from "vitest";
import { failure } from "#protocol/errors.ts";
import type { ChannelId } from "#protocol/ids.ts";
import type { AnyOp } from "#protocol/ops/all.ts";
import { outboxSays } from "../ui/strings-outbox.ts";
import { reasonOf } from "./refusal-reason.ts";

type Given = Parameters<typeof reasonOf>;

const channel = "c" as ChannelId;
const change = (op: AnyOp["op"], args: object = {}): AnyOp => ({ op, args }) as AnyOp;
const shutOut = { channel, change: change("message.post"), refusal: failure("forbidden") };
const row: Given[1][number] = { id: channel, name: "docks", access: "public", isJoined: true };
const IN = [row];
const { detail } = failure("forbidden");
const OFF = { state: "refused", code: "upgrade_required" } as const;
const DEACTIVATED = { state: "refused", code: "forbidden" } as const;

const ADMINS_ONLY = { ...failure("forbidden"), detail: "Only admins may post here." };
const NO_PIN = { ...failure("forbidden"), detail: "You may not pin messages here." };
const TAKEN = failure("name_taken");
const PRIVATE = { ...row, access: "private" } as const;
const named = (name: string, id = "new"): Given[0] => ({
  channel,
  change: change("channel.create", { id, name }),
  refusal: TAKEN,
});

it.each<[string, Given, string]>([
  ["whoever is in again is told so", [shutOut, IN, { state: "live" }], outboxSays.inAgain],
  ["not while that may be of yesterday", [shutOut, IN, { state: "offline" }], detail],
  ["nor who is out of it", [shutOut, [{ ...row, isJoined: false }], { state: "live" }], detail],
  ["nor who doesn't see it", [shutOut, [], { state: "live" }], detail],
  ["out of the workspace, it isn't the channel", [shutOut, IN, DEACTIVATED], outboxSays.shutOut],
  ["a build that is too old is no such reason", [shutOut, IN, OFF], detail],
  ["another reason stands", [{ ...shutOut, refusal: ADMINS_ONLY }, IN, { state: "live" }], ADMINS_ONLY.detail],
  ["out of the workspace", [{ ...shutOut, change: change("channel.archive") }, IN, OFF], outboxSays.shutOut],
  ["and in it again", [{ ...shutOut, change: change("channel.archive") }, IN, { state: "live" }], outboxSays.inAgain],
  [
    "an open channel was archived",
    [{ ...shutOut, refusal: failure("archived"), isReasonPast: true }, IN, { state: "live" }],
    outboxSays.openAgain,
  ],
  [
    "whether a channel still is archived is known live alone",
    [{ ...shutOut, refusal: failure("archived") }, IN, { state: "offline" }],
    outboxSays.archivedThen,
  ],
  [
    "one that still is, is",
    [{ ...shutOut, refusal: failure("archived") }, IN, { state: "live" }],
    failure("archived").detail,
  ],
  [
    "where only admins posted all may",
    [{ ...shutOut, refusal: ADMINS_ONLY, isReasonPast: true }, IN, { state: "live" }],
    outboxSays.mayPostNow,
  ],
  [
    "what only members do, one may again",
    [{ ...shutOut, change: change("message.pin"), refusal: NO_PIN, isReasonPast: true }, IN, { state: "live" }],
    outboxSays.mayNow,
  ],
  [
    "not while one may not",
    [{ ...shutOut, change: change("message.pin"), refusal: NO_PIN }, IN, { state: "live" }],
    NO_PIN.detail,
  ],
  ["a name that stands is taken", [named("docks"), IN, { state: "live" }], TAKEN.detail],
  ["so is one that stands in one's private channels", [named("docks"), [PRIVATE], { state: "live" }], TAKEN.detail],
  ["a name that stands nowhere by now is free", [named("docks"), [], { state: "live" }], outboxSays.nameFree],
  ["its own channel doesn't take it", [named("docks", channel), IN, { state: "live" }], outboxSays.nameFree],
  ["nobody knows while that may be of yesterday", [named("docks"), [], { state: "offline" }], TAKEN.detail],
])("what was refused says why, as it stands now: %s", (_what, given, said) => {
  expect(reasonOf(...given)).toBe(said);
});
