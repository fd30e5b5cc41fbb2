// A line the room wrote itself: who joined, what the topic is.
import type { ReactElement } from "react";
import type { TimelineMessage } from "../../store/snapshots.ts";
import { laterCode } from "../../ui/later.tsx";
import { clockOf, exactTimeOf } from "../../ui/time.ts";
import { usePeople } from "./people.ts";
import styles from "./Message.module.css";

/** The line keeps its height meanwhile, for its time stands in it. */
const useSentence = laterCode(async () => (await import("./system-sentence.ts")).systemSentence);

export function SystemLine({ message }: { readonly message: TimelineMessage }): ReactElement {
  const people = usePeople();
  const sentence = useSentence(true);
  return (
    <p className={styles.system} data-message-id={message.id} data-seq={message.seq ?? undefined}>
      {sentence?.(message, people)}{" "}
      <time dateTime={new Date(message.at).toISOString()} title={exactTimeOf(message.at)}>
        {clockOf(message.at)}
      </time>
    </p>
  );
}
