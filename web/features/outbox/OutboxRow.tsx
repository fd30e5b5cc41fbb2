// One change that waits or was refused.
import { useState, type FormEvent, type ReactElement } from "react";
import { answerNoMore } from "../answer-no-more.ts";
import { answer } from "../answered.ts";
import { copy } from "../copy.ts";
import { Link } from "../navigation.tsx";
import { CHANNEL_NAME_MAX_CHARS } from "#protocol/limits.ts";
import { suggestChannelName } from "#protocol/channel-name.ts";
import type { Failure } from "#protocol/errors.ts";
import type { Result } from "#protocol/result.ts";
import type { OutboxItem } from "../../store/snapshots.ts";
import { Button } from "../../ui/Button.tsx";
import { FormFault } from "../../ui/FormFault.tsx";
import { AlertIcon, ClockIcon } from "../../ui/icons-beside.tsx";
import { momentOf } from "../../ui/moment.ts";
import { acts } from "../../ui/strings-actions.ts";
import { s } from "../../ui/strings-more.ts";
import { k } from "../../ui/strings-conflict.ts";
import { outboxSays as says } from "../../ui/strings-outbox.ts";
import { Time } from "../../ui/Time.tsx";
import { TextField } from "../../ui/TextField.tsx";
import { textIn } from "../form.ts";
import { letGo, ownerOf, wordsHeld } from "../composer/last-words.ts";
import { hasWords } from "../composer/left-words.ts";
import { mendedAt } from "../composer/unfinished.ts";
import { channelPath } from "../paths.ts";
import { usePlace, useView } from "../services.ts";
import { describe, textOf } from "./describe.ts";
import { EditAndRetry } from "./EditAndRetry.tsx";
import { mayRetry } from "./may-retry.ts";
import { MoveTo } from "./MoveTo.tsx";
import styles from "./Outbox.module.css";
import { oneAtATime, useUnderWay } from "./under-way.ts";

interface OutboxRowProps {
  readonly item: OutboxItem;
  /** What it waits for, or why it was refused. */
  readonly state: string;
}

type Open = "nothing" | "editing" | "renaming";

export function OutboxRow({ item, state }: OutboxRowProps): ReactElement {
  const { slug, client } = usePlace();
  const { commands } = client;
  const workspace = useView(client.workspace);
  const [fault, setFault] = useState<string | null>(null);
  const { op, change, channel, channelName, refusal } = item;
  const here = workspace.state === "ready" ? workspace.value : undefined;
  const me = here?.me.user ?? "";
  const owner = ownerOf(me, channel ?? "");
  const mending = ownerOf(me, mendedAt(item));
  // Half mended, it is not to go as it was refused by one press.
  const [open, setOpen] = useState<Open>(() => (hasWords(mending) ? "editing" : "nothing"));
  const [isAsked, setAsked] = useState(false);
  const [isMoving, setMoving] = useState(false);
  const [isSaving, setSaving] = useState(false);
  /** Also begun in the timeline, or before one looked elsewhere. */
  const isBusy = useUnderWay(op);
  const stored = item.editedText ?? textOf(change);
  const text = stored === null ? null : commands.textToEdit(stored);
  const heading = describe(change, here?.members);
  const isPost = change.op === "message.post";
  const isText = isPost || change.op === "message.edit";
  /** What is typed in its place, if anything is. */
  const mended = (): string | undefined => wordsHeld(mending)[0]?.text;

  /** Where it leaves its channel. */
  async function leaving(command: Promise<Result<void, Failure>>): Promise<Result<void, Failure>> {
    const result = await command;
    if (result.ok && isPost) answerNoMore(owner, change.args.id);
    return result;
  }

  async function takeBack(): Promise<Result<void, Failure>> {
    const isBeside = isWritten();
    const taken = await leaving(commands.discard(op, isPost ? "draft" : undefined));
    // What stands in the composer already stays what it was. Alone, what comes back answers what it did, or nothing.
    if (taken.ok && isPost && !isBeside) answer(owner, change.args.root ?? null);
    return taken;
  }

  /** Whether anything stands in the composer of its channel, stored or not. */
  function isWritten(): boolean {
    const channels = client.channels.snapshot();
    const rows = channels.state === "ready" ? channels.value.channels : [];
    return hasWords(owner) || rows.some(({ id, hasDraft }) => id === channel && hasDraft);
  }

  /** @param went what of the words in its place goes with it: as they stand now */
  async function run(begin: () => Promise<Result<void, Failure>>, went = mended()): Promise<void> {
    const result = await oneAtATime(op, () => {
      setSaving(true);
      return begin().finally(() => setSaving(false));
    });
    if (result === null) return;
    // Done in another tab already: the row says what became of it, though not of what is typed here.
    const isDone = !result.ok && result.error.code === "not_found" && mended() === undefined;
    setFault(result.ok || isDone ? null : result.error.detail);
    if (result.ok) {
      setOpen("nothing");
      setMoving(false);
    }
    // They went along, or were given up with it. What was typed since, where one left and came back, is listed as unfinished.
    if (result.ok && isText && went === mended()) letGo(mending, change.args.id);
  }

  return (
    <li className={styles.item}>
      <p className={styles.head}>
        <strong>{heading}</strong>
        {/* Unless the heading has named it: a channel that is made, or is shown by the name that this gives it. */}
        {channel !== null && channelName !== null && !heading.endsWith(`#${channelName}`) && (
          <Link href={channelPath(slug, channel)}>#{channelName}</Link>
        )}
        <Time at={item.writtenAt} as={(at, today) => says.written(momentOf(at, today))} />
      </p>
      {text !== null && open !== "editing" && (
        <p className={styles.text} dir="auto">
          {text}
        </p>
      )}
      {open === "editing" && text !== null && isText && (
        <EditAndRetry
          owner={mending}
          id={change.args.id}
          channel={channel}
          workspace={here?.ref.id}
          text={text}
          isAsked={isAsked}
          isSaving={isSaving}
          isBusy={isBusy}
          onCancel={() => setOpen("nothing")}
          onRetry={(next) => void run(() => commands.retry(op, next), next)}
        />
      )}
      <p className={refusal === undefined ? styles.state : styles.refused}>
        {refusal === undefined ? <ClockIcon size={14} /> : <AlertIcon size={14} />}
        <span>
          {state}
          {refusal?.maybeDelivered === true && ` ${acts.maybeDelivered}`}
          {refusal?.maybeDelivered === true && isText && ` ${isPost ? says.movedDeletes : says.movedRestores}`}
          {item.maybeDelivered === true && says.maybeDelivered[isPost && item.mayTakeBack ? "message" : "change"]}
        </span>
      </p>
      <FormFault>{fault}</FormFault>
      <div className={styles.ways}>
        {refusal !== undefined && mayRetry(item) && open !== "editing" && (
          <>
            {/* Of one that was edited while it waited, and refused since. */}
            <Button
              busy={isBusy}
              onClick={() => (hasWords(mending) ? setOpen("editing") : void run(() => commands.retry(op), text ?? ""))}
            >
              {acts.retry}
            </Button>
            {isText && (
              <Button
                onClick={() => {
                  setOpen("editing");
                  setAsked(true);
                }}
              >
                {acts.editAndRetry}
              </Button>
            )}
          </>
        )}
        {refusal !== undefined && isText && !mayRetry(item) && channel !== null && channelName !== null && (
          <Button busy={isBusy} onClick={() => void run(() => leaving(commands.moveTo(op, channel, mended())))}>
            {k.postNew}
          </Button>
        )}
        {text !== null && <Button onClick={() => void copy(mended() ?? text)}>{acts.copy}</Button>}
        {refusal !== undefined && change.op === "channel.create" && open !== "renaming" && (
          <Button onClick={() => setOpen("renaming")}>{s.channelMenu.rename}</Button>
        )}
        {refusal !== undefined && isText && (
          <Button aria-expanded={isMoving} onClick={() => setMoving(!isMoving)}>
            {says.moveTo}
          </Button>
        )}
        {refusal !== undefined && (
          <Button look="danger" busy={isBusy} onClick={() => void run(() => leaving(commands.discard(op)))}>
            {acts.discard}
          </Button>
        )}
        {item.mayTakeBack && (
          // A message that isn't there yet becomes a draft again; one that may be is deleted besides.
          <Button busy={isBusy} onClick={() => void run(takeBack)}>
            {says.undo}
          </Button>
        )}
      </div>
      {open === "renaming" && change.op === "channel.create" && (
        <Rename
          name={change.args.name}
          onRename={(name) => void run(() => commands.renameChannel(change.args.id, name))}
        />
      )}
      {isMoving && (
        <MoveTo
          from={channel}
          isBusy={isBusy}
          onMove={(to) => void run(() => leaving(commands.moveTo(op, to, mended())))}
        />
      )}
    </li>
  );
}

interface RenameProps {
  readonly name: string;
  readonly onRename: (name: string) => void;
}

/** A refused channel under another name keeps its id, so what was written in it goes along. */
function Rename({ name, onRename }: RenameProps): ReactElement {
  return (
    <form
      className={styles.edit}
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        event.preventDefault();
        onRename(suggestChannelName(textIn(new FormData(event.currentTarget), "name")));
      }}
    >
      <TextField
        name="name"
        label={s.form.channelName}
        prefix="#"
        // Most often it was taken.
        defaultValue={`${name.slice(0, CHANNEL_NAME_MAX_CHARS - 2)}-2`}
        maxLength={CHANNEL_NAME_MAX_CHARS}
        autoComplete="off"
        autoCapitalize="none"
      />
      <div className={styles.ways}>
        <Button type="submit" look="primary">
          {s.channelMenu.rename}
        </Button>
      </div>
    </form>
  );
}
