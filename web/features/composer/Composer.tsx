// Where one writes. What is typed is on the device at every pause; what is sent is gone from here only when it is
// stored in the outbox, and comes back if it can't be.
import { useEffect, useRef, useState, type KeyboardEvent, type ReactElement } from "react";
import type { Failure } from "#protocol/errors.ts";
import type { MessageId } from "#protocol/ids.ts";
import { TEXT_MAX_CHARS } from "#protocol/limits.ts";
import type { Result } from "#protocol/result.ts";
import { mentionOf, normalise } from "#protocol/text.ts";
import type { MemberRow } from "../../store/snapshots.ts";
import type { ReplyTarget } from "../../sync/reply-target.ts";
import { IconButton } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { SendIcon } from "../../ui/icons.tsx";
import { later, laterCode } from "../../ui/later.tsx";
import { isTouch } from "../../ui/media.ts";
import { t } from "../../ui/strings.ts";
import { COMPOSER_ID, focusComposer } from "./focus.ts";
import { mentionBeingTyped } from "./edits.ts";
import type { Format } from "./format.ts";
import type { DraftStore } from "./draft.ts";
import { useDraft } from "./use-draft.ts";
import styles from "./Composer.module.css";

const Saving = later(() => import("./Saving.tsx"), "Saving");
const useFormatting = laterCode(() => import("./FormatButtons.tsx"));
const useMentioning = laterCode(async () => {
  const [mention, { MentionList, mentionOptionId }, { rewrite }] = await Promise.all([
    import("./mention.ts"),
    import("./MentionList.tsx"),
    import("./rewrite.ts"),
  ]);
  return { ...mention, MentionList, mentionOptionId, rewrite };
});

interface ComposerProps {
  /** As shown: "#general". */
  readonly channel: string;
  readonly members: readonly MemberRow[];
  readonly draft: DraftStore;
  /** A stored text as one types it. */
  readonly asTyped: (text: string) => string;
  /** What the text answers, above it. */
  readonly replying: ReactElement | false;
  readonly onTyping: () => void;
  readonly onSend: (
    text: string,
    id: MessageId,
    draft: readonly string[],
    answers: ReplyTarget | null,
  ) => Promise<Result<unknown, Failure>>;
  readonly onEditLast: () => void;
  /** Escape with nothing else to leave. */
  readonly onEscape: () => void;
}

export function Composer(props: ComposerProps): ReactElement {
  const { channel, members, draft, asTyped, replying, onTyping, onSend, onEditLast, onEscape } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const written = useDraft(draft, () => document.hasFocus() && document.activeElement === area.current);
  const { text } = written;
  const [caret, setCaret] = useState(0);
  const [fault, setFault] = useState<string | null>(null);
  const [chosen, setChosen] = useState(0);
  /** What stood before the caret when a name was chosen, or none of them. */
  const [settled, setSettled] = useState<string | null>(null);

  const { length } = normalise(text);
  const excess = length - TEXT_MAX_CHARS;
  const before = text.slice(0, caret);
  const query = mentionBeingTyped(before);
  const formatting = useFormatting(true);
  const mentioning = useMentioning(query !== null);
  const isMentioning = mentioning !== null && query !== null;
  const matches = isMentioning ? mentioning.peopleToOffer(members, query, before, settled) : [];

  useEffect(() => {
    // Not from a message's editor, where a channel is opened again under it.
    if (!isTouch() && document.activeElement?.tagName !== "TEXTAREA") focusComposer();
    // To the end, else what is typed goes before a draft that is there at once.
    area.current?.setSelectionRange(1e9, 1e9);
  }, []);
  // Firefox 153 says nothing of a caret that moved with a text from elsewhere: Enter would complete what stood before it.
  useEffect(() => setCaret(area.current?.selectionStart ?? text.length), [text]);

  function change(next: string, at: number): void {
    written.type(next);
    setCaret(at);
    setChosen(0);
    setFault(null);
    if (next.trim() !== "") onTyping();
  }

  function formatAs(as: Format): void {
    // Where its code isn't here the text stays as it is, and marks can be typed: come late, they would stand in the next one.
    if (formatting === null || area.current === null) return;
    const next = formatting.formatIn(area.current, as);
    change(next.text, next.to);
  }

  async function send(): Promise<void> {
    if (length === 0 || excess > 0) return;
    const taken = written.take();
    setSettled(null);
    const result = await onSend(taken.text, taken.id, taken.over, taken.answers).catch((error: unknown) => {
      // Nobody expected this: the text comes back all the same, and the error is reported like the rest.
      written.putBack(taken);
      throw error;
    });
    if (result.ok) return written.sent(taken);
    setFault(result.error.detail);
    written.putBack(taken);
  }

  function choose(person: MemberRow): void {
    if (!isMentioning || area.current === null) return;
    const next = mentioning.rewrite(area.current, (selected) =>
      mentioning.completeMention(selected, query, asTyped(mentionOf(person.user))),
    );
    setSettled(next.text.slice(0, next.to));
    change(next.text, next.to);
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    // Safari says by this code alone that Enter ended a composition.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const { key } = event;
    const isEnter = key === "Enter" && !event.shiftKey;
    // Held down, it comes from where the focus was before: a saved edit, the link to this channel.
    if (isEnter && event.repeat) return event.preventDefault();
    const highlighted = matches[chosen];
    if (highlighted !== undefined && query !== null) {
      const step = { ArrowDown: 1, ArrowUp: -1 }[key];
      if (step !== undefined) setChosen((chosen + step + matches.length) % matches.length);
      else if (isEnter || key === "Tab") choose(highlighted);
      else if (key === "Escape") setSettled(before);
      else return;
      event.preventDefault();
      return;
    }
    if (isEnter) {
      event.preventDefault();
      void send();
    } else if (key === "ArrowUp" && text === "") {
      event.preventDefault();
      onEditLast();
    } else if (key === "Escape") {
      onEscape();
    } else {
      const as = formatting?.shortcutOf(event);
      if (as === undefined) return;
      event.preventDefault();
      formatAs(as);
    }
  }

  return (
    <div className={styles.composer}>
      <Saving owner={draft.owner} />
      {replying}
      {isMentioning && matches.length > 0 && (
        <mentioning.MentionList people={matches} chosen={chosen} asTyped={asTyped} onChoose={choose} />
      )}
      <div className={cx(styles.box, excess > 0 && styles.over)}>
        <textarea
          ref={area}
          id={COMPOSER_ID}
          data-kept
          className={styles.area}
          aria-label={t.composer.label(channel)}
          aria-invalid={excess > 0 || undefined}
          aria-autocomplete="list"
          aria-controls={matches.length > 0 ? "mention-list" : undefined}
          aria-activedescendant={isMentioning && matches.length > 0 ? mentioning.mentionOptionId(chosen) : undefined}
          placeholder={t.composer.label(channel)}
          dir="auto"
          rows={1}
          enterKeyHint="send"
          // As in TextField.tsx's: what Firefox brings back with a tab may have been sent since.
          autoComplete="off"
          value={text}
          onChange={(event) => change(event.target.value, event.target.selectionStart)}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
          onBlur={written.leave}
          onKeyDown={onKeyDown}
        />
        <div className={styles.foot}>
          {formatting !== null && <formatting.FormatButtons onFormat={formatAs} />}
          <span className={styles.length} role={excess > 0 ? "alert" : undefined}>
            {fault ?? (formatting !== null && <formatting.LengthNote text={text} />)}
          </span>
          <IconButton
            label={t.composer.send}
            shortcut="⏎"
            className={styles.send ?? ""}
            disabled={length === 0 || excess > 0}
            // The keyboard of a phone stays up.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => {
              area.current?.focus();
              void send();
            }}
          >
            <SendIcon />
          </IconButton>
        </div>
      </div>
    </div>
  );
}
