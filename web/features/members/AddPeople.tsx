// People of the workspace who aren't in the channel, found by name, to be put into it.
import { useState, type ReactElement } from "react";
import type { UserId } from "#protocol/ids.ts";
import type { MemberRow } from "../../store/snapshots.ts";
import { Avatar } from "../../ui/Avatar.tsx";
import { Button } from "../../ui/Button.tsx";
import { t } from "../../ui/strings.ts";
import { s } from "../../ui/strings-more.ts";
import { isPersonFound } from "../found-by-name.ts";
import { SearchField } from "../SearchField.tsx";
import { ignoreSecondPresses } from "../second-press.ts";
import styles from "./MembersPanel.module.css";

interface AddPeopleProps {
  readonly candidates: readonly MemberRow[];
  readonly onAdd: (user: UserId) => void;
  readonly onDone: () => void;
}

const CANDIDATES_SHOWN_MAX = 20;

export function AddPeople({ candidates, onAdd, onDone }: AddPeopleProps): ReactElement {
  const [typed, setTyped] = useState("");
  const { members: says } = s;
  const found = candidates.filter(({ name }) => isPersonFound(name, typed)).slice(0, CANDIDATES_SHOWN_MAX);
  return (
    <div className={styles.add}>
      <SearchField label={says.find} value={typed} onChange={setTyped} />
      {found.length === 0 && <p className={styles.facts}>{candidates.length === 0 ? says.nobody : says.noMatch}</p>}
      <ul className={styles.list} onClickCapture={ignoreSecondPresses}>
        {found.map((person) => (
          <li key={person.user} className={styles.person}>
            <Avatar id={person.user} name={person.name} picture={person.avatar} size={24} />
            <span className={styles.who}>{person.name}</span>
            <Button onClick={() => onAdd(person.user)} aria-label={`${says.addAct} ${person.name}`}>
              {says.addAct}
            </Button>
          </li>
        ))}
      </ul>
      <Button look="quiet" onClick={onDone}>
        {t.close}
      </Button>
    </div>
  );
}
