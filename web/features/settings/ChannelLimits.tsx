// Every channel one is in: what is here of it, and a limit of its own.
import { useState, type ReactElement } from "react";
import type { ChannelReadiness, ReadinessSnapshot } from "../../store/readiness.ts";
import { FormFault } from "../../ui/FormFault.tsx";
import { o } from "../../ui/strings-offline.ts";
import { usePlace } from "../services.ts";
import { KEEP_DAYS } from "./days.ts";
import { isHere, sinceOf } from "./held-words.ts";
import styles from "./Offline.module.css";

export function ChannelLimits({ readiness }: { readonly readiness: ReadinessSnapshot }): ReactElement {
  const usual = o.days(readiness.keep.days);
  return (
    <ul className={styles.channels} aria-label={o.channels}>
      {readiness.channels.map((channel) => (
        <li key={channel.id} className={styles.channel}>
          <span className={styles.name}>#{channel.name}</span>
          <span className={styles.muted}>{stateOf(channel)}</span>
          <Limit channel={channel} usual={usual} />
        </li>
      ))}
    </ul>
  );
}

function stateOf(channel: ChannelReadiness): string {
  const { messageCount, since, isWhole, toCome } = channel;
  if (!isHere(channel)) return o.none;
  const parts = [o.messages(messageCount)];
  if (isWhole) parts.push(`${o.complete.toLowerCase()} ${o.whole}`);
  else if (since !== null) parts.push(`${o.complete.toLowerCase()} ${sinceOf(since)}`);
  if (toCome > 0) parts.push(o.toGo(toCome));
  return parts.join(", ");
}

interface LimitProps {
  readonly channel: ChannelReadiness;
  readonly usual: string;
}

function Limit({ channel, usual }: LimitProps): ReactElement {
  const { commands } = usePlace().client;
  const { ownDays } = channel;
  const [fault, setFault] = useState<string | null>(null);

  async function choose(value: string): Promise<void> {
    const days = value === "usual" ? undefined : value === "null" ? null : Number(value);
    const kept = await commands.keep({ do: "limit-channel", channel: channel.id, days });
    setFault(kept.ok ? null : o.notKept(kept.error.detail));
  }

  return (
    <>
      <select
        className={styles.select}
        aria-label={o.limitOf(channel.name)}
        value={ownDays === undefined ? "usual" : String(ownDays)}
        onChange={({ target }) => void choose(target.value)}
      >
        <option value="usual">{o.asOthers(usual)}</option>
        {KEEP_DAYS.map((days) => (
          <option key={String(days)} value={String(days)}>
            {o.days(days)}
          </option>
        ))}
      </select>
      <FormFault>{fault}</FormFault>
    </>
  );
}
