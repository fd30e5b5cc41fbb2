// Tells screen readers, politely, what others have just written in the channel on screen, and what of one's own was just
// refused; many at once as a number.
import { useEffect, useRef, type ReactElement } from "react";
import type { MessageId } from "#protocol/ids.ts";
import { withNames } from "#protocol/text.ts";
import { n } from "../../ui/strings-announcer.ts";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import { newsIn, refusedSince, unrefused, type Ready } from "./news.ts";
import { nameOf, usePeople } from "./people.ts";

export function Announcer({ snapshot }: { readonly snapshot: Ready }): ReactElement {
  const region = useRef<HTMLDivElement>(null);
  const people = usePeople();
  const announced = useRef<number | null>(null);

  const accepted = useRef<ReadonlySet<MessageId>>(new Set());

  useEffect(() => {
    const refused = refusedSince(snapshot.messages, accepted.current);
    accepted.current = unrefused(snapshot.messages);
    const reason = refused.at(-1)?.refused?.refusal.detail;
    if (reason !== undefined && region.current !== null)
      region.current.textContent = refused.length === 1 ? n.refused(reason) : n.refusedMany(refused.length, reason);
  }, [snapshot]);

  useEffect(() => {
    const { fresh, upTo } = newsIn(snapshot, announced.current);
    // Also where one has been far up meanwhile: what is shown again is no news.
    announced.current = upTo;
    // Behind it may stand what I wrote myself.
    const last = fresh.at(-1);
    if (last === undefined || region.current === null) return;
    region.current.textContent =
      fresh.length === 1
        ? n.announce(
            nameOf(people, last.author),
            withNames(last.text, (user) => people.get(user)?.name),
          )
        : n.announceMany(fresh.length);
  }, [snapshot, people]);

  return (
    <VisuallyHidden>
      {snapshot.isUnchecked && <div>{n.unchecked}</div>}
      <div ref={region} aria-live="polite" />
    </VisuallyHidden>
  );
}
