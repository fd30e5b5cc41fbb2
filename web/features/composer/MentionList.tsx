// The people a mention may become, above the text; the keyboard stays in the text.
import type { ReactElement } from "react";
import { mentionOf } from "#protocol/text.ts";
import type { MemberRow } from "../../store/snapshots.ts";
import { Avatar } from "../../ui/Avatar.tsx";
import { optionId, OptionList, OptionNote } from "../../ui/OptionList.tsx";
import { s } from "../../ui/strings-more.ts";
import styles from "./Composer.module.css";

interface MentionListProps {
  readonly people: readonly MemberRow[];
  readonly chosen: number;
  /** As it will stand in the text: of two people of one name it tells which. */
  readonly asTyped: (text: string) => string;
  readonly onChoose: (person: MemberRow) => void;
}

const MENTION_LIST = "mention-list";

export function mentionOptionId(at: number): string {
  return optionId(MENTION_LIST, at);
}

export function MentionList({ people, chosen, asTyped, onChoose }: MentionListProps): ReactElement {
  return (
    <OptionList
      id={MENTION_LIST}
      label={s.mentionList}
      options={people}
      keyOf={({ user }) => user}
      className={styles.people}
      {...{ chosen, onChoose }}
    >
      {({ user, name, avatar, title }) => (
        <>
          <Avatar id={user} name={name} picture={avatar} size={24} />
          <span>
            {name}
            <OptionNote>{asTyped(mentionOf(user)).slice(name.length + 1)}</OptionNote>
          </span>
          {title !== undefined && <OptionNote>{title}</OptionNote>}
        </>
      )}
    </OptionList>
  );
}
