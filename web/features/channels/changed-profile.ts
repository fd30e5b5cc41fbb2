// What a person changed of their profile. What they left as it was isn't said: another device may have set it since.
import type { OpArgs } from "#protocol/ops/all.ts";
import type { MemberRow } from "../../store/snapshots.ts";

type Profile = Pick<MemberRow, "name" | "title" | "status">;

/**
 * @param begun as it was when they began
 * @param now as it is, for the status goes as a whole: the half that was left keeps what another device has set since
 * @param field what stands in a field now
 */
export function changedSince(begun: Profile, now: Profile, field: (name: string) => string): OpArgs<"member.update"> {
  const name = field("name").trim();
  const title = field("title").trim();
  const typed = { emoji: field("emoji").trim(), text: field("status").trim() };
  const isSame = (half: "emoji" | "text"): boolean => typed[half] === (begun.status?.[half] ?? "");
  const meant = (half: "emoji" | "text"): string => (isSame(half) ? (now.status?.[half] ?? "") : typed[half]);
  const [emoji, text] = [meant("emoji"), meant("text")];
  return {
    ...(name === begun.name ? {} : { name }),
    ...(title === (begun.title ?? "") ? {} : { title }),
    ...(isSame("emoji") && isSame("text") ? {} : { status: emoji === "" && text === "" ? null : { emoji, text } }),
  };
}
