// Editing a message in its place: Enter saves, Escape leaves it as it was. What is typed stays with the message until one
// of both, though the tab should end or something else come on screen: it stands there when it is next edited.
import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent, type ReactElement } from "react";
import { TEXT_MAX_CHARS } from "#protocol/limits.ts";
import { normalise } from "#protocol/text.ts";
import { Button } from "../../ui/Button.tsx";
import { TextArea } from "../../ui/TextField.tsx";
import { s } from "../../ui/strings-more.ts";
import { acts } from "../../ui/strings-actions.ts";
import { k } from "../../ui/strings-conflict.ts";
import { focusComposer } from "../composer/focus.ts";
import { holdWords, letGo, ownerOf, wordsHeld, type Words } from "../composer/last-words.ts";
import { useLeftEdit } from "../composer/use-left-edit.ts";
import { oneAtATime } from "../outbox/under-way.ts";
import { AGAIN_WITHIN_MS } from "../second-press.ts";
import { usePlace, useView } from "../services.ts";
import { wasRefused, type Editable, type MessageActions } from "./actions.ts";
import styles from "./EditMessage.module.css";
import { beginSave, editedOn, endSave, saveOf, type Save } from "./saves.ts";
import { ORDER, useAskedAgain } from "./use-asked-again.ts";
import { useFieldFocus } from "./use-field-focus.ts";

/** The message as it was when these words were begun; another rev than its own, where it has changed since. */
function beganWith(message: Editable, { over }: Words, asTyped: MessageActions["asTyped"]): Editable {
  const { text } = message;
  const typed = asTyped(text);
  // What was begun before it was stored has the names in it as they were typed, in whichever case.
  const isBefore = typed !== text && typed.toLowerCase() === over.toLowerCase();
  return text === over || isBefore ? message : { ...message, text: over, rev: 0 };
}

interface EditMessageProps {
  readonly message: Editable;
  readonly actions: MessageActions;
  /** Nobody has just asked to edit it. */
  readonly isUnasked?: boolean;
}

export function EditMessage({ message, actions, isUnasked = false }: EditMessageProps): ReactElement {
  const { author, id } = message;
  // Its author alone edits a message.
  const owner = ownerOf(author, id);
  const { client } = usePlace();
  const place = useView(client.workspace);
  const workspace = place.state === "ready" ? place.value.ref.id : undefined;
  // Until something is typed it follows the message; after that an edit elsewhere doesn't overwrite it, and is shown.
  const [held] = useState(() => wordsHeld(owner)[0]);
  const [underWay] = useState(() => saveOf(owner));
  const [typed, setTyped] = useState(held?.text ?? underWay?.text ?? null);
  const [begun, setBegun] = useState(() => (held === undefined ? message : beganWith(message, held, actions.asTyped)));
  const seen = typed === null ? message : begun;
  const text = typed ?? actions.asTyped(message.text);
  /** The save that one edits on behind, until it has ended. */
  const [before, setBefore] = useState(underWay !== undefined && editedOn.has(underWay) ? underWay : undefined);
  /** What were typed meanwhile would be in neither. */
  const [isSaving, setSaving] = useState(underWay !== before);
  // What a save stores is one's own.
  const isOutdated = !message.isDeleted && before === undefined && !isSaving && seen.text !== message.text;
  const area = useRef<HTMLTextAreaElement>(null);
  const { channel } = actions;

  useEffect(() => {
    void client.commands.setApart(channel, id);
  }, [client, channel, id]);

  const { length } = normalise(text);
  const canSave = length > 0 && length <= TEXT_MAX_CHARS;

  useLeftEdit(owner, (words) => {
    setBegun(beganWith(message, words, actions.asTyped));
    setTyped(words.text);
  });

  const { isOver, from, isByKeyboard, enter } = useFieldFocus(area, isUnasked);

  function hold(words: string, over: string): void {
    const where = { channel: actions.channel, ...(workspace && { workspace }) };
    holdWords(owner, { id, text: words, over, isSent: false, ...where });
  }

  function stop(): void {
    // What one drops was typed behind a save: that one's words stay until they are stored.
    const last = saveOf(owner);
    if (last === undefined) letGo(owner, id);
    else hold(last.text, seen.text);
    close();
  }

  function close(): void {
    isOver.current = true;
    actions.stopEditing(id);
  }

  /** What was typed on in the Outbox, where it was mended besides, stays there. */
  function saved(words: string): void {
    const [now] = wordsHeld(owner);
    if (now === undefined || now.text === words) return stop();
    holdWords(owner, { ...now, over: words });
    close();
  }

  const [openedAt] = useState(() => performance.now());
  /** What stands there is as one left it. */
  const [isFresh, setFresh] = useState(
    held !== undefined && isByKeyboard && document.activeElement?.matches("button") === true,
  );

  /** A key that is held, or pressed twice in one task, would post it twice. */
  const isBusy = useRef(isSaving);

  const end = useEffectEvent((isStored: boolean): void => {
    isBusy.current = isStored;
    setSaving(isStored);
    if (isStored && underWay !== undefined) saved(underWay.text);
  });

  useEffect(() => {
    let isHere = true;
    void underWay?.isStored.then((isStored) => isHere && !editedOn.has(underWay) && end(isStored));
    return () => {
      isHere = false;
    };
  }, [underWay]);

  /** What is typed from here on is begun from one's own words. */
  const follow = useEffectEvent((save: Save, isStored: boolean): void => {
    if (isStored) setBegun(message);
    setBefore((last) => (last === save ? undefined : last));
  });

  useEffect(() => {
    if (before === undefined) return;
    editedOn.add(before);
    void before.isStored.then((isStored) => follow(before, isStored));
  }, [before]);

  /** Asked for once more. */
  function goOn(): void {
    enter();
    if (!isSaving) return;
    const field = area.current;
    field?.setSelectionRange(field.value.length, field.value.length);
    const save = saveOf(owner);
    // Stored in this moment, it was about to close.
    if (save === undefined) setBegun(message);
    else editedOn.add(save);
    setBefore(save);
    setSaving(false);
    isBusy.current = false;
    isOver.current = false;
  }

  useAskedAgain(area, isUnasked, goOn);

  /** Behind the one that is under way: what it stored is what one has seen by then. */
  async function write(last: Save | undefined): Promise<boolean> {
    const isStored = last !== undefined && (await last.isStored);
    const now = (isStored && actions.shown(id)) || message;
    if (now.isDeleted) return actions.post(text);
    if (!wasRefused(now) || now.refused === undefined) return actions.saveEdit(now, text, isStored ? now : seen);
    const { op } = now.refused;
    // Nor does the Outbox make anything of it meanwhile.
    const result = await oneAtATime(op, () => client.commands.retry(op, text));
    if (result?.ok === false) actions.notice(result.error.detail);
    return result?.ok === true;
  }

  async function save(): Promise<void> {
    if (!canSave || isBusy.current) return;
    isBusy.current = true;
    setSaving(true);
    // Here the keys that follow would be lost until it is stored.
    const isComposers = !isByKeyboard || from.current instanceof HTMLTextAreaElement;
    if (isComposers && document.activeElement === area.current) focusComposer();
    const saving: Save = { text, isStored: write(saveOf(owner)) };
    beginSave(owner, saving);
    const isStored = await saving.isStored.finally(() => endSave(owner, saving));
    if (editedOn.has(saving)) {
      if (isStored) letGoOfSaved(text);
      return;
    }
    // Once it is stored, whatever is pressed until the field is gone has nothing to save.
    isBusy.current = isStored;
    setSaving(isStored);
    if (isStored) saved(text);
  }

  /** What was typed behind it is begun from it. */
  function letGoOfSaved(saved: string): void {
    const [words] = wordsHeld(owner);
    const now = actions.shown(id);
    if (words?.text === saved) letGo(owner, id);
    else if (words !== undefined && now !== undefined) holdWords(owner, { ...words, over: now.text });
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    // The timeline's own keys are letters and arrows.
    event.stopPropagation();
    // Safari says by this code alone that Enter ended a composition.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const { key } = event;
    if (key === "Escape") stop();
    else if (key === ORDER && isSaving && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      goOn();
    } else if (key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      // Held down, or pressed twice, it comes from the button that led here to what one hadn't finished.
      const isOfButton = event.repeat || (isFresh && performance.now() - openedAt < AGAIN_WITHIN_MS);
      if (!isOfButton) void save();
    }
  }

  return (
    <div className={styles.edit}>
      <TextArea
        ref={area}
        className={styles.area}
        aria-label={acts.editMessage}
        data-editor=""
        aria-invalid={length > TEXT_MAX_CHARS}
        readOnly={isSaving}
        value={text}
        onChange={(event) => {
          setBegun(seen);
          setFresh(false);
          const { value } = event.target;
          setTyped(value);
          // As it stands it needs no keeping, where it is to stand so.
          if (!message.isDeleted && before === undefined && value === actions.asTyped(message.text))
            return letGo(owner, id);
          hold(value, seen.text);
        }}
        onKeyDown={onKeyDown}
      />
      {(isOutdated || message.isDeleted) && (
        <div className={styles.meanwhile} role="status">
          <p>{isOutdated ? k.editing.elsewhere : k.editing.deleted}</p>
          {isOutdated && (
            <p className={styles.words} dir="auto">
              {actions.asTyped(message.text)}
            </p>
          )}
        </div>
      )}
      <div className={styles.foot}>
        {length > TEXT_MAX_CHARS && <span className={styles.over}>{s.length.tooLong(length - TEXT_MAX_CHARS)}</span>}
        <Button look="quiet" onClick={stop}>
          {s.cancel}
        </Button>
        <Button look="primary" disabled={!canSave} onClick={() => void save()}>
          {message.isDeleted ? k.postNew : acts.save}
        </Button>
      </div>
    </div>
  );
}
