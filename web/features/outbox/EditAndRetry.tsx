// Mending a text that was refused. What is typed stays with it until it is sent or given up, though the tab should end or
// something else come on screen: it stands there when it is next mended.
import { useEffect, useRef, useState, type FormEvent, type ReactElement } from "react";
import type { ChannelId, MessageId, WorkspaceId } from "#protocol/ids.ts";
import { Button } from "../../ui/Button.tsx";
import { TextArea } from "../../ui/TextField.tsx";
import { acts } from "../../ui/strings-actions.ts";
import { s } from "../../ui/strings-more.ts";
import { holdWords, letGo, wordsHeld } from "../composer/last-words.ts";
import { useLeftEdit } from "../composer/use-left-edit.ts";
import styles from "./Outbox.module.css";

interface EditAndRetryProps {
  /** Whose words, and of which op. */
  readonly owner: string;
  readonly id: MessageId;
  /** Where it was to stand. */
  readonly channel: ChannelId | null;
  readonly workspace: WorkspaceId | undefined;
  /** As it was refused. */
  readonly text: string;
  /** Somebody has just asked for it: they type there next. */
  readonly isAsked: boolean;
  /** Its text is on its way to where it is to go: what were typed meanwhile would be in neither. */
  readonly isSaving: boolean;
  /** The same, also where it was begun in the timeline, or one looked elsewhere since: there one may type on. */
  readonly isBusy: boolean;
  readonly onCancel: () => void;
  readonly onRetry: (text: string) => void;
}

export function EditAndRetry(props: EditAndRetryProps): ReactElement {
  const { owner, id, channel, workspace, text, isAsked, isSaving, isBusy, onCancel, onRetry } = props;
  const [typed, setTyped] = useState(() => wordsHeld(owner)[0]?.text ?? text);

  const area = useRef<HTMLTextAreaElement>(null);

  useLeftEdit(owner, (words) => setTyped(words.text));

  useEffect(() => {
    if (!isAsked) return;
    area.current?.focus();
    area.current?.setSelectionRange(1e9, 1e9);
  }, [isAsked]);

  function submit(event: FormEvent): void {
    event.preventDefault();
    onRetry(typed);
  }

  function cancel(): void {
    letGo(owner, id);
    onCancel();
  }

  return (
    <form className={styles.edit} onSubmit={submit}>
      <TextArea
        ref={area}
        data-kept
        aria-label={acts.editMessage}
        readOnly={isSaving}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          const where = { ...(channel && { channel }), ...(workspace && { workspace }) };
          holdWords(owner, { id, text: target.value, over: text, isSent: false, ...where });
        }}
      />
      <div className={styles.ways}>
        <Button type="submit" look="primary" busy={isBusy}>
          {acts.retry}
        </Button>
        {/* What is being saved stays until it is. */}
        <Button busy={isBusy} onClick={cancel}>
          {s.cancel}
        </Button>
      </div>
    </form>
  );
}
