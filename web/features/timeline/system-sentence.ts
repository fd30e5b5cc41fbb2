// What a line of the room's own says. Of a conversation it is the lesser part, and comes behind it.
import type { TimelineMessage } from "../../store/timeline-snapshots.ts";
import { y } from "../../ui/strings-system.ts";
import { nameOf, type People } from "./people.ts";

export function systemSentence({ system, author }: TimelineMessage, people: People): string {
  const who = nameOf(people, author);
  switch (system?.type) {
    case undefined:
      return "";
    case "created":
      return y.created(who);
    case "joined":
      return system.user === author ? y.joined(who) : y.added(who, nameOf(people, system.user));
    case "left":
      return system.user === author ? y.left(who) : y.removed(who, nameOf(people, system.user));
    case "topic":
      return y.topic(who, system.topic);
    case "renamed":
      return y.renamed(who, system.was, system.name);
    case "archived":
      return system.on ? y.archived(who) : y.unarchived(who);
  }
}
