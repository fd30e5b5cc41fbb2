import { expect, it } from "vitest";
import type { MessageId } from "#protocol/ids.ts";
import { messageIn, rootIn, targetOf } from "./reply-target.ts";

const root = "0196f6a0-0000-7000-8000-000000000001" as MessageId;
const reply = "0196f6a0-0000-7000-8000-000000000002" as MessageId;

it("bears the message that is answered and the root of its thread, which it may be itself", () => {
  const toRoot = targetOf({ id: root });
  expect([messageIn(toRoot), rootIn(toRoot)]).toEqual([root, root]);
  const toReply = targetOf({ id: reply, quote: { id: root, author: null, text: "" } });
  expect([messageIn(toReply), rootIn(toReply)]).toEqual([reply, root]);
});
