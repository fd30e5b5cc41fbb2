// Who is in the channel, who is here now, and adding and removing people.
import { useState, type ReactElement } from "react";
import type { Failure } from "#protocol/errors.ts";
import type { UserId } from "#protocol/ids.ts";
import type { Result } from "#protocol/result.ts";
import type { ChannelSnapshot, MemberRow, PresenceSnapshot, WorkspaceSnapshot } from "../../store/snapshots.ts";
import { Avatar } from "../../ui/Avatar.tsx";
import { Button, IconButton } from "../../ui/Button.tsx";
import { FormFault } from "../../ui/FormFault.tsx";
import { CloseIcon, MoreIcon } from "../../ui/icons.tsx";
import { MenuItems } from "../../ui/Menu.tsx";
import { Panel } from "../../ui/Panel.tsx";
import { PopoverButton } from "../../ui/Popover.tsx";
import { s } from "../../ui/strings-more.ts";
import { ignoreSecondPresses } from "../second-press.ts";
import { usePlace } from "../services.ts";
import { AddPeople } from "./AddPeople.tsx";
import { Deactivate } from "./Deactivate.tsx";
import { manageActions } from "./manage.ts";
import styles from "./MembersPanel.module.css";

interface MembersPanelProps {
  readonly snapshot: Extract<ChannelSnapshot, { state: "ready" }>;
  readonly workspace: WorkspaceSnapshot;
  readonly presence: PresenceSnapshot;
  readonly onClose: () => void;
}

export function MembersPanel({ snapshot, workspace, presence, onClose }: MembersPanelProps): ReactElement {
  const { commands } = usePlace().client;
  const [isAdding, setAdding] = useState(false);
  const [deactivating, setDeactivating] = useState<MemberRow | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const { members: says } = s;
  const { row, members, mayAddMembers } = snapshot;
  const sorted = members.toSorted((a, b) => rankOf(presence, a) - rankOf(presence, b) || a.name.localeCompare(b.name));

  async function run(command: Promise<Result<void, Failure>>): Promise<void> {
    const result = await command;
    setFault(result.ok ? null : result.error.detail);
  }

  return (
    <Panel title={says.title} onClose={onClose}>
      {mayAddMembers && !isAdding && <Button onClick={() => setAdding(true)}>{says.add}</Button>}
      {isAdding && (
        <AddPeople
          candidates={[...workspace.members.values()].filter(
            (person) => !person.isDeactivated && !members.some(({ user }) => user === person.user),
          )}
          onAdd={(user: UserId) => void run(commands.changeMembers(row.id, { add: [user] }))}
          onDone={() => setAdding(false)}
        />
      )}
      <FormFault>{fault}</FormFault>
      <ul className={styles.list} onClickCapture={ignoreSecondPresses}>
        {sorted.map((person) => {
          const actions = manageActions(workspace.me, person, {
            setRole: (role) => void run(commands.setRole(person.user, role)),
            deactivate: () => setDeactivating(person),
            activate: () => void run(commands.activate(person.user, true)),
          });
          return (
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
              {actions.length > 0 && (
                <PopoverButton label={says.manage(person.name)} icon={<MoreIcon />} role="menu">
                  {(close) => <MenuItems groups={actions} close={close} />}
                </PopoverButton>
              )}
              {mayAddMembers && row.access === "private" && !person.isMe && (
                <IconButton
                  label={says.remove(person.name)}
                  onClick={() => void run(commands.changeMembers(row.id, { remove: [person.user] }))}
                >
                  <CloseIcon size={14} />
                </IconButton>
              )}
            </li>
          );
        })}
      </ul>
      {deactivating !== null && (
        <Deactivate
          name={deactivating.name}
          onDeactivate={() => void run(commands.activate(deactivating.user, false))}
          onClose={() => setDeactivating(null)}
        />
      )}
    </Panel>
  );
}

function rankOf({ present }: PresenceSnapshot, { user }: MemberRow): number {
  const state = present.get(user);
  return state === "active" ? 0 : state === "away" ? 1 : 2;
}

function factsOf(person: MemberRow, { present }: PresenceSnapshot): string {
  const { members: says } = s;
  const state = present.get(person.user);
  const status = person.status === undefined ? "" : `${person.status.emoji} ${person.status.text}`.trim();
  return [
    person.isDeactivated ? says.deactivated : state === "active" ? says.present : state === "away" ? says.away : "",
    person.role === "member" ? "" : says.roles[person.role],
    person.title ?? "",
    status,
  ]
    .filter(Boolean)
    .join(", ");
}
