// A text that was being written where one can't write any more.
import { useState, type ReactElement } from "react";
import type { Failure } from "#protocol/errors.ts";
import type { ChannelId } from "#protocol/ids.ts";
import type { Result } from "#protocol/result.ts";
import type { OutboxDraft } from "../../store/snapshots.ts";
import { Button } from "../../ui/Button.tsx";
import { FormFault } from "../../ui/FormFault.tsx";
import { AlertIcon } from "../../ui/icons-beside.tsx";
import { acts } from "../../ui/strings-actions.ts";
import { outboxSays as says } from "../../ui/strings-outbox.ts";
import { copy } from "../copy.ts";
import { navigate } from "../navigation.tsx";
import { channelPath } from "../paths.ts";
import { usePlace } from "../services.ts";
import { MoveTo } from "./MoveTo.tsx";
import styles from "./Outbox.module.css";

export function DraftRow({ draft }: { readonly draft: OutboxDraft }): ReactElement {
  const { slug, client } = usePlace();
  const { commands } = client;
  const [fault, setFault] = useState<string | null>(null);
  const [isMoving, setMoving] = useState(false);
  const { channel, root, channelName, text, why } = draft;
  const place = { channel, ...(root && { root }), text };

  /** Answers whether it came about. */
  async function run(command: Promise<Result<unknown, Failure>>): Promise<boolean> {
    const result = await command;
    setFault(result.ok ? null : result.error.detail);
    return result.ok;
  }

  /** It is sent from there, by the person. */
  async function move(to: ChannelId): Promise<void> {
    setMoving(false);
    if (await run(commands.moveDraft(place, to))) navigate(channelPath(slug, to));
  }

  return (
    <li className={styles.item}>
      <p className={styles.head}>
        <strong>{says.draft.title}</strong>
        {channelName !== null && <span>#{channelName}</span>}
      </p>
      <p className={styles.text} dir="auto">
        {text}
      </p>
      <p className={styles.refused}>
        <AlertIcon size={14} />
        <span>{says.draft.why[why]}</span>
      </p>
      <FormFault>{fault}</FormFault>
      <div className={styles.ways}>
        <Button onClick={() => void copy(text)}>{acts.copy}</Button>
        <Button aria-expanded={isMoving} onClick={() => setMoving(!isMoving)}>
          {says.moveTo}
        </Button>
        <Button look="danger" onClick={() => void run(commands.setDraft(channel, "", root ?? undefined, text))}>
          {acts.discard}
        </Button>
      </div>
      {isMoving && <MoveTo from={channel} onMove={(to) => void move(to)} />}
    </li>
  );
}
