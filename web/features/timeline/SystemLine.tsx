// A line the room wrote itself: who joined, what the topic is.
import type { ReactElement } from "react";
import type { TimelineMessage } from "../../store/snapshots.ts";
import { beside } from "../../ui/strings-beside.ts";
import { clockOf, exactTimeOf } from "../../ui/time.ts";
import { nameOf, usePeople, type People } from "./people.ts";
import styles from "./Message.module.css";

export function SystemLine({ message }: { readonly message: TimelineMessage }): ReactElement {
  const people = usePeople();
  return (
    <p className={styles.system} data-message-id={message.id} data-seq={message.seq ?? undefined}>
      {sentence(message, people)}{" "}
      <time dateTime={new Date(message.at).toISOString()} title={exactTimeOf(message.at)}>
        {clockOf(message.at)}
      </time>
    </p>
  );
}

function sentence({ system, author }: TimelineMessage, people: People): string {
  const who = nameOf(people, author);
  const says = beside.timeline.system;
  switch (system?.type) {
    case undefined:
      return "";
    case "created":
      return says.created(who);
    case "joined":
      return system.user === author ? says.joined(who) : says.added(who, nameOf(people, system.user));
    case "left":
      return system.user === author ? says.left(who) : says.removed(who, nameOf(people, system.user));
    case "topic":
      return says.topic(who, system.topic);
    case "renamed":
      return says.renamed(who, system.was, system.name);
    case "archived":
      return system.on ? says.archived(who) : says.unarchived(who);
  }
}
