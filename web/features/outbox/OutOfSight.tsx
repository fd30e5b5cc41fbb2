// Texts that were written in channels which aren't in sight any more, and that no composer takes up: their words, and ways out.
import { useState, type ReactElement } from "react";
import type { ChannelId } from "#protocol/ids.ts";
import { Button } from "../../ui/Button.tsx";
import { FormFault } from "../../ui/FormFault.tsx";
import { AlertIcon, ClockIcon } from "../../ui/icons-beside.tsx";
import { acts } from "../../ui/strings-actions.ts";
import { outboxSays as says } from "../../ui/strings-outbox.ts";
import { unfinishedSays } from "../../ui/strings-unfinished.ts";
import { copy } from "../copy.ts";
import { navigate } from "../navigation.tsx";
import { channelPath } from "../paths.ts";
import { usePlace } from "../services.ts";
import { MoveTo } from "./MoveTo.tsx";
import { dropOne } from "./out-of-sight.ts";
import type { OutOfSightText } from "./use-out-of-sight.ts";
import styles from "./Outbox.module.css";

export function OutOfSight({ texts }: { readonly texts: readonly OutOfSightText[] }): ReactElement {
  return (
    <section className={styles.lost} aria-label={unfinishedSays.outOfSight.title}>
      <h2 className={styles.title}>{unfinishedSays.outOfSight.title}</h2>
      <p className={styles.lead}>{unfinishedSays.outOfSight.lead}</p>
      <ul className={styles.list}>
        {texts.map((text) => (
          <OutOfSightRow key={`${text.place}.${text.id}`} left={text} />
        ))}
      </ul>
    </section>
  );
}

function OutOfSightRow({ left }: { readonly left: OutOfSightText }): ReactElement {
  const { slug, client } = usePlace();
  const [fault, setFault] = useState<string | null>(null);
  const [isMoving, setMoving] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const { text, isSent, isLiving } = left;

  /** Before what stands there, and sent from there by the person. */
  async function move(to: ChannelId): Promise<void> {
    setBusy(true);
    const there = client.draft(to).snapshot();
    const before = there.state === "ready" ? there.value : "";
    // No composer of that channel knew of it: whatever stands there is something else.
    const both = before === "" ? text : `${text}\n${before}`;
    const moved = await client.commands.setDraft(to, both, undefined, before).finally(() => setBusy(false));
    setFault(moved.ok ? null : moved.error.detail);
    if (!moved.ok) return;
    dropOne(left);
    navigate(channelPath(slug, to));
  }

  return (
    <li className={styles.item}>
      <p className={styles.head}>
        <strong>{isSent ? says.change["message.post"] : says.draft.title}</strong>
      </p>
      <p className={styles.text} dir="auto">
        {text}
      </p>
      {isLiving ? (
        <p className={styles.state}>
          <ClockIcon size={14} />
          <span>{unfinishedSays.saving}</span>
        </p>
      ) : (
        <p className={styles.refused}>
          <AlertIcon size={14} />
          <span>{says.draft.why.gone}</span>
        </p>
      )}
      <FormFault>{fault}</FormFault>
      <div className={styles.ways}>
        <Button onClick={() => void copy(text)}>{acts.copy}</Button>
        {!isLiving && (
          <>
            <Button busy={isBusy} aria-expanded={isMoving} onClick={() => setMoving(!isMoving)}>
              {says.moveTo}
            </Button>
            <Button look="danger" busy={isBusy} onClick={() => dropOne(left)}>
              {acts.discard}
            </Button>
          </>
        )}
      </div>
      {isMoving && !isLiving && <MoveTo from={null} isBusy={isBusy} onMove={(to) => void move(to)} />}
    </li>
  );
}
