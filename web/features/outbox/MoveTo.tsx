// Where else a text may go: a channel one can write in.
import type { ReactElement } from "react";
import type { ChannelId } from "#protocol/ids.ts";
import { Button } from "../../ui/Button.tsx";
import { outboxSays as says } from "../../ui/strings-outbox.ts";
import { usePlace, useView } from "../services.ts";
import styles from "./Outbox.module.css";

interface MoveToProps {
  readonly from: ChannelId | null;
  /** Something else is being made of it. */
  readonly isBusy?: boolean;
  readonly onMove: (channel: ChannelId) => void;
}

export function MoveTo({ from, isBusy = false, onMove }: MoveToProps): ReactElement {
  const channels = useView(usePlace().client.channels);
  const open = channels.state === "ready" ? channels.value.channels.filter(canTake) : [];
  const choices = open.filter(({ id }) => id !== from);
  return (
    <form
      className={styles.ways}
      onSubmit={(event) => {
        event.preventDefault();
        const chosen = new FormData(event.currentTarget).get("channel");
        const row = choices.find(({ id }) => id === chosen);
        if (row !== undefined) onMove(row.id);
      }}
    >
      <select name="channel" className={styles.select} aria-label={says.moveTo}>
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

function canTake(row: { readonly isJoined: boolean; readonly isArchived: boolean }): boolean {
  return row.isJoined && !row.isArchived;
}
