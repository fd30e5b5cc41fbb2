// A piece of text with the people it names marked, oneself more strongly.
import type { ReactElement } from "react";
import type { UserId } from "#protocol/ids.ts";
import { mayName, mentionOf, splitAtMentions } from "#protocol/text.ts";
import { cx } from "../../../ui/cx.ts";
import { nameOf, usePeople } from "../people.ts";
import styles from "./MessageText.module.css";

export function MentionedText({ text }: { readonly text: string }): ReactElement {
  const people = usePeople();
  return (
    <>
      {splitAtMentions(text).map((part, at) => {
        if (at % 2 === 0) return part;
        const user = part as UserId;
        if (!people.has(user) && !mayName(user)) return mentionOf(user);
        return (
          <span key={at} className={cx(styles.mention, people.get(user)?.isMe === true && styles.me)}>
            @{nameOf(people, user)}
          </span>
        );
      })}
    </>
  );
}
