// All channels one may join or is in: found by name, joined, opened, created.
import { useDeferredValue, useState, type ReactElement } from "react";
import type { ChannelId } from "#protocol/ids.ts";
import { Link } from "../navigation.tsx";
import type { ChannelRow, ChannelsSnapshot, WorkspaceSnapshot } from "../../store/snapshots.ts";
import { Button } from "../../ui/Button.tsx";
import { Checkbox } from "../../ui/Checkbox.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { FormFault } from "../../ui/FormFault.tsx";
import { HashIcon, LockIcon } from "../../ui/icons.tsx";
import { sidebarSays } from "../../ui/strings-sidebar.ts";
import { s } from "../../ui/strings-more.ts";
import { laterDialog } from "../../ui/later-dialog.tsx";
import { isChannelFound } from "../found-by-name.ts";
import { channelPath } from "../paths.ts";
import { Screen } from "../Screen.tsx";
import { SearchField } from "../SearchField.tsx";
import { usePlace, useView } from "../services.ts";
import styles from "./Browse.module.css";

const CreateChannel = laterDialog(() => import("./CreateChannel.tsx"), "CreateChannel");

const NOTHING_YET: Pick<ChannelsSnapshot, "channels" | "isWhole"> = { channels: [], isWhole: false };

export function Browse({ workspace }: { readonly workspace: WorkspaceSnapshot }): ReactElement {
  const { slug, client } = usePlace();
  const channels = useView(client.channels);
  const [typed, setTyped] = useState("");
  const [isShowingArchived, setShowingArchived] = useState(false);
  const [isCreating, setCreating] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const sought = useDeferredValue(typed);
  const { browse: says } = s;
  const isGuest = workspace.me.role === "guest";
  const empty = isGuest ? says.emptyForGuest : says.empty;
  const { channels: all, isWhole } = channels.state === "ready" ? channels.value : NOTHING_YET;
  const shown = all.filter((row) => isChannelFound(row.name, sought) && (isShowingArchived || !row.isArchived));
  const create = (workspace.mayCreatePublic || workspace.mayCreatePrivate) && (
    <Button look="primary" onClick={() => setCreating(true)}>
      {s.createChannel.act}
    </Button>
  );

  async function join(id: ChannelId): Promise<void> {
    const joined = await client.commands.joinChannel(id);
    setFault(joined.ok ? null : joined.error.detail);
  }

  return (
    <Screen title={says.title} tools={all.length > 0 && create}>
      {!isWhole && <p className={styles.none}>{sidebarSays.loading}</p>}
      {all.length === 0 ? (
        isWhole && (
          <EmptyState title={empty.title} action={create}>
            {(isGuest || create !== false) && empty.text}
          </EmptyState>
        )
      ) : (
        <>
          <div className={styles.filters}>
            <SearchField label={says.search} value={typed} onChange={setTyped} className={styles.search ?? ""} />
            {all.some((row) => row.isArchived) && (
              <Checkbox
                label={says.showArchived}
                checked={isShowingArchived}
                onChange={(event) => setShowingArchived(event.target.checked)}
              />
            )}
          </div>
          {shown.length === 0 && sought.trim() !== "" && isWhole && <p className={styles.none}>{says.none}</p>}
          <FormFault>{fault}</FormFault>
          <ul className={styles.list}>
            {shown.map((row) => (
              <BrowseRow key={row.id} row={row} slug={slug} onJoin={isWhole ? () => void join(row.id) : null} />
            ))}
          </ul>
        </>
      )}
      {isCreating && <CreateChannel workspace={workspace} onClose={() => setCreating(false)} />}
    </Screen>
  );
}

interface BrowseRowProps {
  readonly row: ChannelRow;
  readonly slug: string;
  /** Null where one may be in it already, for all that is known. */
  readonly onJoin: (() => void) | null;
}

function BrowseRow({ row, slug, onJoin }: BrowseRowProps): ReactElement {
  const { browse: says } = s;
  const facts = [
    row.isJoined ? says.joined : "",
    row.isArchived ? says.archived : "",
    row.access === "private" ? sidebarSays.private : "",
    row.refusal?.detail ?? "",
  ];
  return (
    <li className={styles.row}>
      <Link href={channelPath(slug, row.id)} className={styles.link}>
        {row.access === "private" ? <LockIcon /> : <HashIcon />}
        <span className={styles.name}>{row.name}</span>
        <span className={styles.facts}>{facts.filter(Boolean).join(", ")}</span>
      </Link>
      {onJoin !== null && !row.isJoined && !row.isArchived && row.delivery === "sent" && (
        <Button onClick={onJoin} aria-label={`${says.join} #${row.name}`}>
          {says.join}
        </Button>
      )}
    </li>
  );
}
