// What a person changed of their profile. What they left as it was isn't said: another device may have set it since.
import type { OpArgs } from "#protocol/ops/all.ts";
import type { MemberRow } from "../../store/snapshots.ts";

/**
 * @param begun as it was when they began
 * @param field what stands in a field now
 */
export function changedSince(
  begun: Pick<MemberRow, "name" | "title" | "status">,
  field: (name: string) => string,
): OpArgs<"member.update"> {
  const name = field("name").trim();
  const title = field("title").trim();
  const emoji = field("emoji").trim();
  const text = field("status").trim();
  const isSameStatus = emoji === (begun.status?.emoji ?? "") && text === (begun.status?.text ?? "");
  return {
    ...(name === begun.name ? {} : { name }),
    ...(title === (begun.title ?? "") ? {} : { title }),
    ...(isSameStatus ? {} : { status: emoji === "" && text === "" ? null : { emoji, text } }),
  };
}
