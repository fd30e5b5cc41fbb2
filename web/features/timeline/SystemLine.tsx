// A line the room wrote itself: who joined, what the topic is.
import type { ReactElement } from "react";
import type { TimelineMessage } from "../../store/timeline-snapshots.ts";
import { laterCode } from "../../ui/later.tsx";
import { Time } from "../../ui/Time.tsx";
import { clockOf } from "../../ui/time.ts";
import { usePeople } from "./people.ts";
import styles from "./Message.module.css";

/** The line keeps its height meanwhile, for its time stands in it. */
const useSentence = laterCode(() => import("./system-sentence.ts"));

export function SystemLine({ message }: { readonly message: TimelineMessage }): ReactElement {
  const people = usePeople();
  const sentence = useSentence(true);
  return (
    <p className={styles.system} data-message-id={message.id} data-seq={message.seq ?? undefined}>
      {sentence?.systemSentence(message, people)} <Time at={message.at} as={clockOf} />
    </p>
  );
}
