// What was noted as unsent before this device's data was cleared. Sending one is the person's choice. It goes under the id
// that it had, so that one which had been delivered after all isn't doubled ([OP14]).
import { useState, type ReactElement } from "react";
import { workspaceOf } from "../../store/outbox.ts";
import type { Lost, WaitingText } from "../../sync/waiting.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { FormFault } from "../../ui/FormFault.tsx";
import { momentOf } from "../../ui/moment.ts";
import { acts } from "../../ui/strings-actions.ts";
import { lostSays } from "../../ui/strings-lost.ts";
import { outboxSays as says } from "../../ui/strings-outbox.ts";
import { Time } from "../../ui/Time.tsx";
import { copy } from "../copy.ts";
import { Link } from "../navigation.tsx";
import { channelPath } from "../paths.ts";
import { usePlace, useView } from "../services.ts";
import { broughtBack } from "./brought-back.ts";
import { useLost, type UsedLost } from "./use-lost.ts";
import styles from "./Outbox.module.css";

/** @param isElseEmpty nothing waits in the Outbox itself */
export function LostTexts({ isElseEmpty }: { readonly isElseEmpty: boolean }): ReactElement | null {
  const { lost, isThere, giveUp } = useLost();
  if (lost !== null) return <LostList {...{ lost, isThere, giveUp }} />;
  return isElseEmpty ? <EmptyState title={says.empty.title}>{says.empty.text}</EmptyState> : null;
}

function LostList({
  lost,
  isThere,
  giveUp,
}: Pick<UsedLost, "isThere" | "giveUp"> & { readonly lost: Lost }): ReactElement {
  const { client } = usePlace();
  const channels = useView(client.channels);
  const workspace = useView(client.workspace);
  const [fault, setFault] = useState<string | null>(null);
  /** Of which one it can't be said any more that it shall not go. */
  const [underWay, setUnderWay] = useState<string | null>(null);
  const isBusy = underWay !== null;
  const own = workspace.state === "ready" ? workspace.value.ref.id : null;
  const rows = channels.state === "ready" ? channels.value.channels : [];

  function nameOf(text: WaitingText): string | null {
    const row = workspaceOf(text) === own ? rows.find(({ id }) => id === text.channel) : undefined;
    return row?.name ?? null;
  }

  const posts = lost.texts.filter((text) => text.kind === "post" && nameOf(text) !== null);

  /** In the order written; the first that doesn't go holds up those behind it, and what is given up meanwhile doesn't go. */
  async function bringBack(texts: readonly WaitingText[]): Promise<void> {
    try {
      for (const text of texts) {
        if (!isThere(text.op)) continue;
        setUnderWay(text.op);
        const done = await broughtBack(client, text);
        setFault(done.ok ? null : done.error.detail);
        if (!done.ok) break;
        giveUp([text.op]);
      }
    } finally {
      setUnderWay(null);
    }
  }

  return (
    <section className={styles.lost} aria-label={lostSays.title}>
      <h2 className={styles.title}>{lostSays.title}</h2>
      <p className={styles.lead}>{lostSays.lead}</p>
      <FormFault>{fault}</FormFault>
      {posts.length > 1 && (
        <div className={styles.ways}>
          <Button look="primary" busy={isBusy} onClick={() => void bringBack(posts)}>
            {lostSays.sendAll(posts.length)}
          </Button>
        </div>
      )}
      <ul className={styles.list}>
        {lost.texts.map((text) => (
          <LostRow
            key={text.op}
            lost={text}
            channelName={nameOf(text)}
            isElsewhere={own !== null && workspaceOf(text) !== own}
            isBusy={isBusy}
            isUnderWay={underWay === text.op}
            onBringBack={() => void bringBack([text])}
            onGiveUp={() => giveUp([text.op])}
          />
        ))}
        {lost.rest.length > 0 && (
          <li className={styles.item}>
            <p>{lostSays.rest(lost.rest.length)}</p>
            <div className={styles.ways}>
              <Button onClick={() => giveUp(lost.rest.map(({ op }) => op))}>{lostSays.dismiss}</Button>
            </div>
          </li>
        )}
      </ul>
    </section>
  );
}

interface LostRowProps {
  readonly lost: WaitingText;
  /** Null where it can't be written in from here. */
  readonly channelName: string | null;
  readonly isElsewhere: boolean;
  /** One of them is being sent. */
  readonly isBusy: boolean;
  /** This one. */
  readonly isUnderWay: boolean;
  readonly onBringBack: () => void;
  readonly onGiveUp: () => void;
}

function LostRow(props: LostRowProps): ReactElement {
  const { lost, channelName, isElsewhere, isBusy, isUnderWay, onBringBack, onGiveUp } = props;
  const { slug, client } = usePlace();
  const text = client.commands.textToEdit(lost.text);
  return (
    <li className={styles.item}>
      <p className={styles.head}>
        <strong>{kindOf(lost)}</strong>
        {channelName !== null && <Link href={channelPath(slug, lost.channel)}>#{channelName}</Link>}
        {isElsewhere && <span>{lostSays.elsewhere}</span>}
        <Time at={lost.at} as={(at, today) => says.written(momentOf(at, today))} />
      </p>
      <p className={styles.text} dir="auto">
        {text}
      </p>
      <div className={styles.ways}>
        {channelName !== null && lost.kind !== "edit" && (
          <Button busy={isBusy} onClick={onBringBack}>
            {lost.kind === "post" ? lostSays.send : lostSays.intoComposer}
          </Button>
        )}
        <Button onClick={() => void copy(text)}>{acts.copy}</Button>
        <Button look="danger" busy={isUnderWay} onClick={onGiveUp}>
          {acts.discard}
        </Button>
      </div>
    </li>
  );
}

function kindOf({ kind, root }: WaitingText): string {
  if (kind === "draft") return says.draft.title;
  if (kind === "edit") return says.change["message.edit"];
  return root === null ? says.change["message.post"] : says.change["message.reply"];
}
