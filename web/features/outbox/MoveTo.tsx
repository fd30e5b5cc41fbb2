// Where else a text may go: a channel one can write in.
import { useState, type ReactElement } from "react";
import type { ChannelId } from "#protocol/ids.ts";
import { Button } from "../../ui/Button.tsx";
import { outboxSays as says } from "../../ui/strings-outbox.ts";
import { usePlace, useView } from "../services.ts";
import { canTake } from "./can-take.ts";
import styles from "./Outbox.module.css";

interface MoveToProps {
  readonly from: ChannelId | null;
  /** Something else is being made of it. */
  readonly isBusy?: boolean;
  readonly onMove: (channel: ChannelId) => void;
}

export function MoveTo({ from, isBusy = false, onMove }: MoveToProps): ReactElement {
  const { client } = usePlace();
  const channels = useView(client.channels);
  const rows = channels.state === "ready" ? channels.value.channels : [];
  /** As of now: who may post isn't in the rows. */
  const openNow = (): typeof rows =>
    rows.filter((row) => row.id !== from && canTake(row, client.channel(row.id).snapshot));
  const choices = openNow();
  // Null once the one that was chosen takes nothing: no other is meant by that.
  const [chosen, setChosen] = useState(choices[0]?.id ?? null);
  const offered = choices.find(({ id }) => id === chosen);
  if (channels.state === "ready" && choices.length === 0) return <p className={styles.state}>{says.moveNowhere}</p>;
  return (
    <form
      className={styles.ways}
      onSubmit={(event) => {
        event.preventDefault();
        const row = openNow().find(({ id }) => id === chosen);
        if (row === undefined) setChosen(null);
        else onMove(row.id);
      }}
    >
      <select
        className={styles.select}
        aria-label={says.moveTo}
        required
        value={offered?.id ?? ""}
        onChange={({ target }) => setChosen(choices.find(({ id }) => id === target.value)?.id ?? null)}
      >
        {offered === undefined && <option value="">{says.chooseChannel}</option>}
        {choices.map(({ id, name }) => (
          <option key={id} value={id}>
            #{name}
          </option>
        ))}
      </select>
      <Button type="submit" look="primary" busy={isBusy}>
        {says.move}
      </Button>
    </form>
  );
}
