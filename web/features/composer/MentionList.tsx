// The people a mention may become, above the text; the keyboard stays in the text.
import type { ReactElement } from "react";
import { mentionOf } from "#protocol/text.ts";
import type { MemberRow } from "../../store/snapshots.ts";
import { Avatar } from "../../ui/Avatar.tsx";
import { s } from "../../ui/strings-more.ts";
import styles from "./Composer.module.css";

interface MentionListProps {
  readonly people: readonly MemberRow[];
  readonly chosen: number;
  /** As it will stand in the text: of two people of one name it tells which. */
  readonly asTyped: (text: string) => string;
  readonly onChoose: (person: MemberRow) => void;
}

export function mentionOptionId(at: number): string {
  return `mention-option-${at}`;
}

export function MentionList({ people, chosen, asTyped, onChoose }: MentionListProps): ReactElement {
  return (
    <div id="mention-list" role="listbox" aria-label={s.mentionList} className={styles.people}>
      {people.map((person, at) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- its keys are handled where the focus is
        <div
          key={person.user}
          id={mentionOptionId(at)}
          role="option"
          aria-selected={at === chosen}
          tabIndex={-1}
          className={styles.person}
          // The text keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(person)}
        >
          <Avatar id={person.user} name={person.name} picture={person.avatar} size={24} />
          <span>
            {person.name}
            <span className={styles.title}>{asTyped(mentionOf(person.user)).slice(person.name.length + 1)}</span>
          </span>
          {person.title !== undefined && <span className={styles.title}>{person.title}</span>}
        </div>
      ))}
    </div>
  );
}
