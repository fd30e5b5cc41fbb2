import { expect, it } from "vitest";
import { s } from "../../ui/strings-more.ts";
import { leaveTextOf } from "./leave-text.ts";

const PRIVATE = { access: "private", isArchived: false } as const;
const ME = { isMe: true, isDeactivated: false };
const MARA = { isMe: false, isDeactivated: false };

it("the last one in a private channel isn't told that somebody in it can add them again", () => {
  expect(leaveTextOf(PRIVATE, [ME, MARA], false)).toBe(s.channelDialog.leaveTextPrivate);
  expect(leaveTextOf(PRIVATE, [ME], false)).toBe(s.channelDialog.leaveTextLast);
  expect(leaveTextOf(PRIVATE, [ME, { ...MARA, isDeactivated: true }], false)).toBe(s.channelDialog.leaveTextLast);
});

it("out of a public one anybody who isn't a guest finds back alone", () => {
  const open = { access: "public", isArchived: false } as const;
  expect(leaveTextOf(open, [ME], false)).toBe(s.channelDialog.leaveText);
  expect(leaveTextOf({ ...open, isArchived: true }, [ME], false)).toBe(s.channelDialog.leaveTextArchived);
  expect(leaveTextOf(open, [ME], true)).toBe(s.channelDialog.leaveTextGuest);
});
