// Edits that were begun and not finished, also of messages that can't be seen any more: their words, and a way out.
import { useEffect, useState, type ReactElement } from "react";
import type { ChannelId } from "#protocol/ids.ts";
import { normalise } from "#protocol/text.ts";
import type { ChannelRow } from "../../store/snapshots.ts";
import { Button } from "../../ui/Button.tsx";
import { ClockIcon } from "../../ui/icons-beside.tsx";
import { acts } from "../../ui/strings-actions.ts";
import { outboxSays } from "../../ui/strings-outbox.ts";
import { unfinishedSays as says } from "../../ui/strings-unfinished.ts";
import { holdWords, wordsHeld } from "../composer/last-words.ts";
import { letGoOfSaid, tellHere } from "../composer/left-words.ts";
import { isHere, type Unfinished } from "../composer/unfinished.ts";
import type { UsedUnfinished } from "../composer/use-unfinished.ts";
import { copy } from "../copy.ts";
import { Link } from "../navigation.tsx";
import { channelPath } from "../paths.ts";
import { usePlace, useView } from "../services.ts";
import { useSaveOf } from "../timeline/saves.ts";
import styles from "./Outbox.module.css";

interface UnfinishedEditsProps extends Pick<UsedUnfinished, "giveUp"> {
  readonly edits: UsedUnfinished["texts"];
}

export function UnfinishedEdits({ edits, giveUp }: UnfinishedEditsProps): ReactElement {
  const channels = useView(usePlace().client.channels);
  const rows = channels.state === "ready" ? channels.value.channels : [];
  return (
    <section className={styles.lost} aria-label={says.title}>
      <h2 className={styles.title}>{says.title}</h2>
      <p className={styles.lead}>{says.lead}</p>
      <ul className={styles.list}>
        {edits.map((edit) => (
          <UnfinishedEdit
            key={edit.place}
            edit={edit}
            row={rows.find(({ id }) => id === edit.channel)}
            onDiscard={() => giveUp(edit)}
          />
        ))}
      </ul>
    </section>
  );
}

interface UnfinishedEditProps {
  readonly edit: Unfinished;
  /** Where its message stands; undefined where that can't be seen any more. */
  readonly row: ChannelRow | undefined;
  readonly onDiscard: () => void;
}

function UnfinishedEdit({ edit, row, onDiscard }: UnfinishedEditProps): ReactElement {
  const { slug } = usePlace();
  // Finished, and called off no more by dropping these words: they are all there is where the disk fails.
  const saving = useSaveOf(edit.owner);
  const isSaving = saving?.text === edit.text && isHere(edit.place);

  /** What was typed behind a save: that one's words stay until they are stored. */
  function discard(): void {
    const [words] = isHere(edit.place) ? wordsHeld(edit.owner) : [];
    if (saving === undefined || words === undefined) return onDiscard();
    holdWords(edit.owner, { ...words, text: saving.text });
    tellHere(edit.place);
  }

  const isOfMessage = row !== undefined && edit.of === edit.id;
  return (
    <li className={styles.item}>
      {isOfMessage && !isHere(edit.place) && <SavedBefore edit={edit} channel={row.id} />}
      <p className={styles.head}>
        <strong>{isSaving ? outboxSays.change["message.edit"] : says.kind}</strong>
        {row !== undefined && <Link href={channelPath(slug, row.id)}>#{row.name}</Link>}
      </p>
      <p className={styles.text} dir="auto">
        {edit.text}
      </p>
      {isSaving && (
        <p className={styles.state}>
          <ClockIcon size={14} />
          <span>{says.saving}</span>
        </p>
      )}
      <div className={styles.ways}>
        {isOfMessage && <Link href={channelPath(slug, row.id, edit.id)}>{says.show}</Link>}
        <Button onClick={() => void copy(edit.text)}>{acts.copy}</Button>
        {!isSaving && (
          <Button look="danger" onClick={discard}>
            {acts.discard}
          </Button>
        )}
      </div>
    </li>
  );
}

/** What a tab saved just before it ended is no unfinished edit: its message says the same. */
function SavedBefore({ edit, channel }: { readonly edit: Unfinished; readonly channel: ChannelId }): null {
  const { client } = usePlace();
  const [view] = useState(() => client.message(channel, edit.id));
  const message = useView(view);
  const said =
    message.state === "ready" && message.value !== null ? client.commands.textToEdit(message.value.text) : null;
  useEffect(() => {
    if (said !== null) void letGoOfSaid(edit.owner, (text) => normalise(text) === normalise(said));
  }, [edit.owner, said]);
  return null;
}
