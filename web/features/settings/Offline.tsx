// What of the workspace is on this device, in words; what is on its way; and how much the person wants to keep.
import { useState, type ReactElement } from "react";
import type { ReadinessSnapshot } from "../../store/readiness.ts";
import { Button } from "../../ui/Button.tsx";
import { Part } from "../../ui/Part.tsx";
import { o } from "../../ui/strings-offline.ts";
import { Screen } from "../Screen.tsx";
import { useClient, usePlace, useView } from "../services.ts";
import { ChannelLimits } from "./ChannelLimits.tsx";
import { sentenceOf } from "./held-words.ts";
import { KeepSettings } from "./KeepSettings.tsx";
import styles from "./Offline.module.css";

export function Offline(): ReactElement {
  const { client } = usePlace();
  const readiness = useView(client.readiness);
  return (
    <Screen title={o.title} hasBack>
      {readiness.state === "loading" ? (
        <p className={styles.muted}>{o.loading}</p>
      ) : (
        <div className={styles.parts}>
          <Part title={o.held}>
            <Held readiness={readiness.value} />
          </Part>
          <Part title={o.keep}>
            <KeepSettings keep={readiness.value.keep} />
          </Part>
          {readiness.value.storage.kind === "disk" && (
            <Part title={o.protect}>
              <Protection isPersistent={readiness.value.storage.isPersistent} />
            </Part>
          )}
          <Part title={o.channels}>
            <ChannelLimits readiness={readiness.value} />
          </Part>
        </div>
      )}
    </Screen>
  );
}

/** The sentence, and below it what the background is about. */
function Held({ readiness }: { readonly readiness: ReadinessSnapshot }): ReactElement {
  const { client } = usePlace();
  const session = useView(useClient().account.session);
  const workspace = useView(client.workspace);
  const isOneOfSeveral = session.state !== "nobody" && session.workspaces.length > 1;
  const { channels, readyCount, toCome, filling, storage } = readiness;
  const isLeft = readyCount < channels.length;
  if (storage.kind === "memory") return <p>{o.says.memory}</p>;
  // Nor is all here, where it isn't known yet what there is.
  if (channels.length === 0) return <p className={styles.sentence}>{o.nothing}</p>;
  return (
    <>
      <p className={styles.sentence}>{sentenceOf(readiness)}</p>
      {isOneOfSeveral && workspace.state === "ready" && (
        <p className={styles.muted}>{o.ofWorkspace(workspace.value.ref.name)}</p>
      )}
      {readiness.messageCount > 0 && <p className={styles.muted}>{o.counted}</p>}
      {/* Said when it changes, but not with every page that comes. */}
      <p role="status" className={styles.muted}>
        {filling.state === "paused" && isLeft
          ? o.paused[filling.why]
          : isLeft
            ? o.filling(readyCount, channels.length, toCome)
            : o.done}
      </p>
      {filling.state === "paused" && isLeft && (
        <p className={styles.muted}>{o.left(readyCount, channels.length, toCome)}</p>
      )}
      {filling.state === "paused" && isLeft && mayInsist.has(filling.why) && (
        <Button onClick={() => void client.commands.keep({ do: "fill-now" })}>{o.fillNow}</Button>
      )}
      {isLeft && (
        <progress
          className={styles.progress}
          aria-label={o.held}
          max={readiness.messageCount + toCome}
          value={readiness.messageCount}
        />
      )}
    </>
  );
}

const mayInsist: ReadonlySet<string> = new Set(["saving", "metered", "slow", "hidden"]);

function Protection({ isPersistent }: { readonly isPersistent: boolean | null }): ReactElement {
  const { client } = usePlace();
  const [isRefused, setRefused] = useState(false);

  async function ask(): Promise<void> {
    const answer = await client.commands.keep({ do: "protect" });
    setRefused(!answer.ok || !answer.value);
  }

  if (isPersistent === true) return <p className={styles.muted}>{o.protected}</p>;
  return (
    <>
      <p className={styles.muted}>{isPersistent === null ? o.unknown : o.unprotected}</p>
      <Button onClick={() => void ask()}>{o.ask}</Button>
      {isRefused && <p role="status">{o.refused}</p>}
    </>
  );
}
