// Editing a message in its place: Enter saves, Escape leaves it as it was. What is typed stays with the message until one
// of both, though the tab should end or something else come on screen: it stands there when it is next edited.
import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent, type ReactElement } from "react";
import { TEXT_MAX_CHARS } from "#protocol/limits.ts";
import { normalise } from "#protocol/text.ts";
import { Button } from "../../ui/Button.tsx";
import { TextArea } from "../../ui/TextField.tsx";
import { isTouch } from "../../ui/media.ts";
import { s } from "../../ui/strings-more.ts";
import { acts } from "../../ui/strings-actions.ts";
import { k } from "../../ui/strings-conflict.ts";
import { focusComposer } from "../composer/focus.ts";
import { holdWords, letGo, ownerOf, wordsHeld, type Words } from "../composer/last-words.ts";
import { useLeftEdit } from "../composer/use-left-edit.ts";
import { usePlace, useView } from "../services.ts";
import type { Editable, MessageActions } from "./actions.ts";
import styles from "./EditMessage.module.css";

/** The message as it was when these words were begun; another rev than its own, where it has changed since. */
function beganWith(message: Editable, { over }: Words): Editable {
  return message.text === over ? message : { ...message, text: over, rev: 0 };
}

/** owner → what is being stored, and whether it is then: also when one has looked elsewhere since, and edits it again. */
const saves = new Map<string, Promise<boolean>>();

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
  const place = useView(usePlace().client.workspace);
  const workspace = place.state === "ready" ? place.value.ref.id : undefined;
  // Until something is typed it follows the message; after that an edit elsewhere doesn't overwrite it, and is shown.
  const [held] = useState(() => wordsHeld(owner)[0]);
  const [typed, setTyped] = useState<string | null>(held?.text ?? null);
  const [begun, setBegun] = useState(() => (held === undefined ? message : beganWith(message, held)));
  const seen = typed === null ? message : begun;
  const text = typed ?? actions.asTyped(message.text);
  const isOutdated = !message.isDeleted && seen.text !== message.text;
  const area = useRef<HTMLTextAreaElement>(null);
  const { length } = normalise(text);
  const canSave = length > 0 && length <= TEXT_MAX_CHARS;

  useLeftEdit(owner, (words) => {
    setBegun(beganWith(message, words));
    setTyped(words.text);
  });

  /** Left, or saved; else its row alone has gone, and comes back. */
  const isOver = useRef(false);

  function stop(): void {
    isOver.current = true;
    letGo(owner, id);
    actions.stopEditing(id);
  }

  /** Where one came from. */
  const before = useRef<Element | null>(null);
  /** The button that one came by goes with its toolbar: who pressed it by a pointer goes on at the composer. */
  const [isByKeyboard] = useState(() => document.activeElement?.matches(":focus-visible") === true);

  useEffect(() => {
    const field = area.current;
    const article = field?.closest("article");
    // React runs it twice where one develops.
    if (document.activeElement !== field) before.current = document.activeElement;
    if (!isUnasked) field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
    return () => {
      const now = document.activeElement;
      // Somebody who went on elsewhere while it was stored types there.
      if (!isOver.current || (now !== document.body && now !== field)) return;
      // Back to where one came from: the composer, the message, or in place of a button that is gone the message.
      const from = before.current;
      const isThere = from instanceof HTMLElement && from.isConnected && from !== document.body;
      if (isThere) from.focus();
      else if (isByKeyboard && !(from instanceof HTMLTextAreaElement)) article?.focus();
      else if (!isTouch()) focusComposer();
    };
  }, [isUnasked, isByKeyboard]);

  /** What were typed meanwhile would be in neither. */
  const [underWay] = useState(() => saves.get(owner));
  const [isSaving, setSaving] = useState(underWay !== undefined);

  const end = useEffectEvent((isStored: boolean): void => {
    setSaving(isStored);
    if (isStored) stop();
  });

  useEffect(() => {
    let isHere = true;
    void underWay?.then((isStored) => isHere && end(isStored));
    return () => {
      isHere = false;
    };
  }, [underWay]);

  /** A key that is held, or pressed twice in one task, would post it twice. */
  const isBusy = useRef(false);

  async function save(): Promise<void> {
    if (!canSave || isBusy.current || saves.has(owner)) return;
    isBusy.current = true;
    setSaving(true);
    // Here the keys that follow would be lost until it is stored.
    const isComposers = !isByKeyboard || before.current instanceof HTMLTextAreaElement;
    if (isComposers && document.activeElement === area.current) focusComposer();
    const saving = message.isDeleted ? actions.post(text) : actions.saveEdit(message, text, seen);
    saves.set(owner, saving);
    const isStored = await saving.finally(() => saves.delete(owner));
    // Once it is stored, whatever is pressed until the field is gone has nothing to save.
    isBusy.current = isStored;
    setSaving(isStored);
    if (isStored) stop();
  }

  function onKeyDown(event: KeyboardEvent): void {
    // The timeline's own keys are letters and arrows.
    event.stopPropagation();
    // Safari says by this code alone that Enter ended a composition.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (event.key === "Escape") stop();
    else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      void save();
    }
  }

  return (
    <div className={styles.edit}>
      <TextArea
        ref={area}
        className={styles.area}
        aria-label={acts.editMessage}
        aria-invalid={length > TEXT_MAX_CHARS}
        readOnly={isSaving}
        value={text}
        onChange={(event) => {
          const from = typed === null ? message : begun;
          setBegun(from);
          const { value } = event.target;
          setTyped(value);
          // As it stands it needs no keeping.
          if (!message.isDeleted && value === actions.asTyped(message.text)) return letGo(owner, id);
          const where = { channel: actions.channel, ...(workspace && { workspace }) };
          holdWords(owner, { id, text: value, over: from.text, isSent: false, ...where });
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
