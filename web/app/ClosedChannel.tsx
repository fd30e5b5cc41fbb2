// In the composer's place where one can't write: why, and the way in where there is one.
import type { ReactElement } from "react";
import type { ReadyChannel } from "../features/channels/ChannelHeader.tsx";
import { Button } from "../ui/Button.tsx";
import { s } from "../ui/strings-more.ts";
import styles from "./ChannelScreen.module.css";

interface ClosedChannelProps {
  readonly why: NonNullable<ReadyChannel["closed"]>;
  readonly onJoin: () => void;
}

export function ClosedChannel({ why, onJoin }: ClosedChannelProps): ReactElement {
  return (
    <div className={styles.closed}>
      {s.closedChannel[why]}
      {why === "not-joined" && (
        <Button look="primary" onClick={onJoin}>
          {s.channelMenu.join}
        </Button>
      )}
    </div>
  );
}
