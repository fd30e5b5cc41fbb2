// A text that was noted before this device's data was cleared goes where it was to stand.
import type { Failure } from "#protocol/errors.ts";
import type { Result } from "#protocol/result.ts";
import type { WorkspaceClient } from "../../sync/client.ts";
import type { WaitingText } from "../../sync/waiting.ts";
import { joined } from "../composer/left-words.ts";

interface Into {
  readonly draft: (
    ...composer: Parameters<WorkspaceClient["draft"]>
  ) => Pick<ReturnType<WorkspaceClient["draft"]>, "snapshot">;
  readonly commands: Pick<WorkspaceClient["commands"], "postAgain" | "setDraft">;
}

export async function broughtBack({ draft, commands }: Into, lost: WaitingText): Promise<Result<unknown, Failure>> {
  const { channel, text, message } = lost;
  const root = lost.root ?? undefined;
  if (message !== null) return commands.postAgain({ ...lost, message });
  const there = draft(channel, root).snapshot();
  const before = there.state === "ready" ? there.value : "";
  // The room may have had its beginning, or all of it, and another device may have written on.
  return commands.setDraft(channel, joined(before, [{ text, over: "" }]), root, before);
}
