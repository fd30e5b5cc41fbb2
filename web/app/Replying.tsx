// Above the composer: which message its text answers, in one line, for as long as there is one.
import { useEffect, useState, type ReactElement } from "react";
import type { ChannelId } from "#protocol/ids.ts";
import { usePlace, useView } from "../features/services.ts";
import { MentionedText } from "../features/timeline/markdown/MentionedText.tsx";
import { nameOf, usePeople } from "../features/timeline/people.ts";
import { quoted } from "../features/timeline/quoted.ts";
import { messageIn, type ReplyTarget } from "../sync/reply-target.ts";
import { IconButton } from "../ui/Button.tsx";
import { CloseIcon } from "../ui/icons.tsx";
import { replyingSays as says } from "../ui/strings-replying.ts";
import styles from "./Replying.module.css";

interface ReplyingProps {
  readonly channel: ChannelId;
  readonly to: ReplyTarget;
  readonly onStop: () => void;
  /** It was deleted: nothing is left to answer, which has to be said. */
  readonly onGone: (notice: string) => void;
}

export function Replying({ channel, to, onStop, onGone }: ReplyingProps): ReactElement {
  const { client } = usePlace();
  const people = usePeople();
  const [view] = useState(() => client.message(channel, messageIn(to)));
  const now = useView(view);
  const message = now.state === "ready" ? now.value : null;
  const isGone = message?.isDeleted === true;

  useEffect(() => {
    void client.commands.setApart(channel, messageIn(to));
  }, [client, channel, to]);

  useEffect(() => {
    if (isGone) onGone(says.gone);
  }, [isGone, onGone]);

  return (
    <div className={styles.replying}>
      <p className={styles.line}>
        {message === null ? (
          now.state === "ready" && says.toUnknown
        ) : (
          <>
            <b>{says.to(nameOf(people, message.author))}</b>{" "}
            <span dir="auto">
              <MentionedText text={quoted(message.text)} />
            </span>
          </>
        )}
      </p>
      <IconButton label={says.stop} onClick={onStop}>
        <CloseIcon size={14} />
      </IconButton>
    </div>
  );
}
