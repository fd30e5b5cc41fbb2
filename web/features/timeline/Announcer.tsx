// Tells screen readers, politely, what others have just written in the channel on screen, and what of one's own was just
// refused; many at once as a number; and at which message a link has led.
import { useEffect, useRef, type ReactElement } from "react";
import type { MessageId } from "#protocol/ids.ts";
import { withNames } from "#protocol/text.ts";
import type { TimelineMessage } from "../../store/timeline-snapshots.ts";
import { n } from "../../ui/strings-announcer.ts";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import { usePath } from "../navigation.tsx";
import { readAddress } from "../paths.ts";
import { newsIn, refusalSaid, refusedSince, unrefused, type Ready } from "./news.ts";
import { nameOf, usePeople, type People } from "./people.ts";

/** A region that comes with its words in it isn't read: screen readers wait for what changes in one that they know. */
const KNOWN_AFTER_MS = 200;

export function Announcer({ snapshot }: { readonly snapshot: Ready }): ReactElement {
  const region = useRef<HTMLDivElement>(null);
  const people = usePeople();
  const announced = useRef<number | null>(null);

  const accepted = useRef<ReadonlySet<MessageId>>(new Set());

  useEffect(() => {
    const refused = refusalSaid(refusedSince(snapshot.messages, accepted.current));
    accepted.current = unrefused(snapshot.messages);
    const { fresh, upTo } = newsIn(snapshot, announced.current);
    // Also where one has been far up meanwhile: what is shown again is no news.
    announced.current = upTo;
    // Behind it may stand what I wrote myself.
    const last = fresh.at(-1);
    const news = last && n.announce(nameOf(people, last.author), asRead(last, people));
    // In one go: what is written into the region next takes the place of what was, which may not be read yet.
    const said = [refused, fresh.length > 1 ? n.announceMany(fresh.length) : news].filter(Boolean);
    if (said.length > 0 && region.current !== null) region.current.textContent = said.join(" ");
  }, [snapshot, people]);

  const target = readAddress(usePath())?.rest[1];
  const told = useRef<string | undefined>(undefined);
  const landed = snapshot.isOnWay
    ? undefined
    : snapshot.messages.find(({ id, system }) => id === target && system === undefined);
  const words = landed && landedAt(landed, people);

  useEffect(() => {
    if (target === undefined) told.current = undefined;
    // Once: what changes of it later is said like all else.
    if (words === undefined || told.current === target) return undefined;
    const timer = setTimeout(() => {
      // It may be here, and one went elsewhere, or it came behind one's back.
      if (!isSeen(target)) return;
      told.current = target;
      if (region.current !== null) region.current.textContent = words;
    }, KNOWN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [target, words]);

  return (
    <VisuallyHidden>
      {snapshot.isUnchecked && <div>{n.unchecked}</div>}
      <div ref={region} aria-live="polite" />
    </VisuallyHidden>
  );
}

function isSeen(target: string | undefined): boolean {
  const { top, bottom } =
    document.querySelector(`article[data-message-id="${target}"]`)?.getBoundingClientRect() ?? new DOMRect(0, -1, 0, 0);
  return bottom > 0 && top < innerHeight;
}

function landedAt(message: TimelineMessage, people: People): string {
  const author = nameOf(people, message.author);
  return message.isDeleted ? n.landedDeleted(author) : n.landed(author, asRead(message, people));
}

function asRead({ text }: TimelineMessage, people: People): string {
  return withNames(text, (user) => people.get(user)?.name);
}
