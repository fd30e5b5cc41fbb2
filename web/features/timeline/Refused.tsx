// What the server said no to: why, in one sentence, and the ways out. What was written stays until one is taken.
import { useSyncExternalStore, type ReactElement } from "react";
import type { Failure } from "#protocol/errors.ts";
import type { Result } from "#protocol/result.ts";
import type { OutboxItem } from "../../store/snapshots.ts";
import type { TimelineMessage } from "../../store/timeline-snapshots.ts";
import { Button } from "../../ui/Button.tsx";
import { AlertIcon } from "../../ui/icons-beside.tsx";
import { acts } from "../../ui/strings-actions.ts";
import { k } from "../../ui/strings-conflict.ts";
import { answerNoMore } from "../answer-no-more.ts";
import { letGo, ownerOf, wordsHeld } from "../composer/last-words.ts";
import { hasWords } from "../composer/left-words.ts";
import { copy } from "../copy.ts";
import { Link } from "../navigation.tsx";
import { mayRetry } from "../outbox/may-retry.ts";
import { oneAtATime } from "../outbox/under-way.ts";
import { outboxPath } from "../paths-more.ts";
import { useReason } from "../refusal-reason.ts";
import { ignoreSecondPresses } from "../second-press.ts";
import { usePlace, useView } from "../services.ts";
import { wasRefused, type MessageActions } from "./actions.ts";
import { MentionedText } from "./markdown/MentionedText.tsx";
import styles from "./Refused.module.css";

interface RefusedProps {
  readonly message: TimelineMessage;
  readonly refused: NonNullable<TimelineMessage["refused"]>;
  readonly actions: MessageActions;
  /** Its editor is open: that one tries again, with what is typed there. */
  readonly isEdited: boolean;
}

export function Refused({ message, refused, actions, isEdited }: RefusedProps): ReactElement {
  const { slug, client } = usePlace();
  const { commands } = client;
  const { op, refusal, text } = refused;
  const outbox = useView(client.outbox);
  const reasonOf = useReason();
  const item = outbox.state === "ready" ? outbox.value.items.find((each) => each.op === op) : undefined;
  const isPost = wasRefused(message);
  const isWorthRetrying = item === undefined ? refusal.code !== "not_found" : mayRetry(item);
  const mayPostNew = isPost ? item !== undefined && !isWorthRetrying : text !== null && refusal.code !== "archived";
  const mending = ownerOf(message.author, isPost ? message.id : op);
  // As it was refused nobody wants it who is writing something else in its place, here, in the Outbox or in another tab.
  const isMended = useSyncExternalStore(hearWords, () => hasWords(mending)) || isEdited;

  function say(result: Result<unknown, Failure> | null): void {
    // Not there: another tab has dealt with it, or the press before.
    if (result?.ok === false && result.error.code !== "not_found") actions.notice(result.error.detail);
  }

  async function run(begin: () => Promise<Result<unknown, Failure>>): Promise<void> {
    say(await oneAtATime(op, begin));
  }

  async function leaving<T>(command: Promise<Result<T, Failure>>): Promise<Result<T, Failure>> {
    const result = await command;
    if (result.ok && isPost) answerNoMore(ownerOf(message.author, actions.channel), message.id);
    return result;
  }

  /** Also of what is just being tried again: behind that, it doesn't go. */
  async function discard(): Promise<void> {
    const given = wordsHeld(mending)[0]?.text;
    const result = await leaving(commands.discard(op));
    say(result);
    // What stood in its editor; not what was typed meanwhile, nor what the Outbox alone shows.
    if (result.ok && isPost && wordsHeld(mending)[0]?.text === given) letGo(mending, message.id);
  }

  return (
    // Anew for each: what is refused besides takes the place of one that is discarded.
    <div key={op} className={styles.refused} onClickCapture={ignoreSecondPresses}>
      <p className={styles.reason}>
        <AlertIcon size={14} />
        <span>
          {whatOf(refused, item?.change)} {item === undefined ? refusal.detail : reasonOf({ ...item, refusal })}{" "}
          {refusal.maybeDelivered === true && acts.maybeDelivered}
        </span>
      </p>
      {!isPost && text !== null && (
        <blockquote className={styles.words} aria-label={k.refused.words} dir="auto">
          <MentionedText text={text} />
        </blockquote>
      )}
      <div className={styles.ways}>
        {isWorthRetrying && !isMended && (
          <Button look="quiet" onClick={() => void run(() => commands.retry(op))}>
            {acts.retry}
          </Button>
        )}
        {isPost && isWorthRetrying && !isEdited && (
          <Button look="quiet" onClick={() => actions.edit(message)}>
            {acts.editAndRetry}
          </Button>
        )}
        {mayPostNew && !isMended && (
          <Button look="quiet" onClick={() => void run(() => leaving(commands.moveTo(op, actions.channel)))}>
            {k.postNew}
          </Button>
        )}
        {text !== null && (
          <Button look="quiet" onClick={() => void copy(actions.asTyped(isPost ? message.text : text))}>
            {acts.copy}
          </Button>
        )}
        {text !== null && <Link href={outboxPath(slug)}>{k.elsewhere}</Link>}
        <Button look="quiet" onClick={() => void discard()}>
          {acts.discard}
        </Button>
      </div>
    </div>
  );
}

function hearWords(listener: () => void): () => void {
  addEventListener("storage", listener);
  return () => removeEventListener("storage", listener);
}

/** @param whole where it is known: taking something away is the same op as adding it */
function whatOf({ change, refusal }: RefusedProps["refused"], whole?: OutboxItem["change"]): string {
  if (refusal.maybeDelivered === true) return k.refused.unknown;
  switch (change) {
    case "message.edit":
      return k.refused.edit;
    case "message.delete":
      return k.refused.delete;
    case "message.react":
      return whole?.op === change && !whole.args.on ? k.refused.unreact : k.refused.react;
    case "message.pin":
      return whole?.op === change && !whole.args.on ? k.refused.unpin : k.refused.pin;
    default:
      return k.refused.post;
  }
}
