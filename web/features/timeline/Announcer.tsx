// Tells screen readers, politely, what others have just written in the channel on screen; many at once as a number.
import { useEffect, useRef, type ReactElement } from "react";
import { withNames } from "#protocol/text.ts";
import type { TimelineMessage } from "../../store/snapshots.ts";
import { n } from "../../ui/strings-announcer.ts";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import { nameOf, usePeople } from "./people.ts";
import { countNewAfter, lastSeq } from "./rows.ts";

export function Announcer({ messages }: { readonly messages: readonly TimelineMessage[] }): ReactElement {
  const region = useRef<HTMLDivElement>(null);
  const people = usePeople();
  const newest = lastSeq(messages);
  const announced = useRef(newest);

  useEffect(() => {
    const count = countNewAfter(messages, announced.current);
    announced.current = newest;
    const last = messages.findLast(({ seq }) => seq === newest);
    if (count === 0 || last === undefined || region.current === null) return;
    region.current.textContent =
      count === 1
        ? n.announce(
            nameOf(people, last.author),
            withNames(last.text, (user) => people.get(user)?.name),
          )
        : n.announceMany(count);
  }, [messages, newest, people]);

  return (
    <VisuallyHidden>
      <div ref={region} aria-live="polite" />
    </VisuallyHidden>
  );
}
