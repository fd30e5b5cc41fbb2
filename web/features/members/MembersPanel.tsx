// Who is in the channel, who is here now, and adding and removing people.
import { useState, type ReactElement } from "react";
import type { UserId } from "#protocol/ids.ts";
import type { ChannelSnapshot, MemberRow, PresenceSnapshot } from "../../store/snapshots.ts";
import { Avatar } from "../../ui/Avatar.tsx";
import { Button, IconButton } from "../../ui/Button.tsx";
import { FormFault } from "../../ui/FormFault.tsx";
import { CloseIcon } from "../../ui/icons.tsx";
import { t } from "../../ui/strings.ts";
import { s } from "../../ui/strings-more.ts";
import { TextField } from "../../ui/TextField.tsx";
import { usePlace } from "../services.ts";
import styles from "./MembersPanel.module.css";

interface MembersPanelProps {
  readonly snapshot: Extract<ChannelSnapshot, { state: "ready" }>;
  readonly everybody: ReadonlyMap<UserId, MemberRow>;
  readonly presence: PresenceSnapshot;
  readonly onClose: () => void;
}

export function MembersPanel({ snapshot, everybody, presence, onClose }: MembersPanelProps): ReactElement {
  const { commands } = usePlace().client;
  const [isAdding, setAdding] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const { members: says } = s;
  const { row, members, mayAddMembers } = snapshot;
  const sorted = members.toSorted((a, b) => rankOf(presence, a) - rankOf(presence, b) || a.name.localeCompare(b.name));

  async function change(people: {
    readonly add?: readonly UserId[];
    readonly remove?: readonly UserId[];
  }): Promise<void> {
    const result = await commands.changeMembers(row.id, people);
    setFault(result.ok ? null : result.error.detail);
  }

  return (
    <aside className={styles.panel} aria-label={says.title}>
      <header className={styles.head}>
        <h2 className={styles.title}>{says.title}</h2>
        <IconButton label={t.close} onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </header>
      <div className={styles.scroll}>
        {mayAddMembers && !isAdding && <Button onClick={() => setAdding(true)}>{says.add}</Button>}
        {isAdding && (
          <AddPeople
            candidates={[...everybody.values()].filter(
              (person) => !person.isDeactivated && !members.some(({ user }) => user === person.user),
            )}
            onAdd={(user) => void change({ add: [user] })}
            onDone={() => setAdding(false)}
          />
        )}
        <FormFault>{fault}</FormFault>
        <ul className={styles.list}>
          {sorted.map((person) => (
            <li key={person.user} className={styles.person}>
              <Avatar
                id={person.user}
                name={person.name}
                picture={person.avatar}
                isPresent={presence.present.get(person.user) === "active"}
              />
              <div className={styles.who}>
                <span className={styles.name}>
                  {person.name} {person.isMe && <span className={styles.facts}>({says.you})</span>}
                </span>
                <span className={styles.facts}>{factsOf(person, presence)}</span>
              </div>
              {mayAddMembers && row.access === "private" && !person.isMe && (
                <IconButton label={says.remove(person.name)} onClick={() => void change({ remove: [person.user] })}>
                  <CloseIcon size={14} />
                </IconButton>
              )}
            </li>
          ))}
        </ul>
      </div>
    </aside>
  );
}

function rankOf({ present }: PresenceSnapshot, { user }: MemberRow): number {
  const state = present.get(user);
  return state === "active" ? 0 : state === "away" ? 1 : 2;
}

function factsOf(person: MemberRow, { present }: PresenceSnapshot): string {
  const { members: says } = s;
  const state = present.get(person.user);
  return [
    state === "active" ? says.present : state === "away" ? says.away : "",
    person.role === "member" ? "" : says.roles[person.role],
    person.title ?? "",
  ]
    .filter(Boolean)
    .join(", ");
}

interface AddPeopleProps {
  readonly candidates: readonly MemberRow[];
  readonly onAdd: (user: UserId) => void;
  readonly onDone: () => void;
}

const CANDIDATES_SHOWN_MAX = 20;

function AddPeople({ candidates, onAdd, onDone }: AddPeopleProps): ReactElement {
  const [typed, setTyped] = useState("");
  const { members: says } = s;
  const sought = typed.trim().toLowerCase();
  const found = candidates.filter(({ name }) => name.toLowerCase().includes(sought)).slice(0, CANDIDATES_SHOWN_MAX);
  return (
    <div className={styles.add}>
      <TextField
        type="search"
        label={says.find}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        autoComplete="off"
      />
      {found.length === 0 && <p className={styles.facts}>{candidates.length === 0 ? says.nobody : says.noMatch}</p>}
      <ul className={styles.list}>
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
