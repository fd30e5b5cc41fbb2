// What stands below the text: the buttons that format what is selected, with their keys, and the length of a long one. It
// comes when there is something to write in.
import type { KeyboardEvent, ReactElement } from "react";
import { TEXT_MAX_CHARS } from "#protocol/limits.ts";
import { normalise } from "#protocol/text.ts";
import { IconButton } from "../../ui/Button.tsx";
import { path } from "../../ui/icons.tsx";
import { numberOf } from "../../ui/number.ts";
import { s } from "../../ui/strings-more.ts";
import type { Selected } from "./edits.ts";
import { format, type Format } from "./format.ts";
import { rewrite } from "./rewrite.ts";

const BoldIcon = path("M4.5 2.8h4a2.5 2.5 0 0 1 0 5h-4zM4.5 7.8H9a2.7 2.7 0 0 1 0 5.4H4.5z");
const ItalicIcon = path("M7 2.8h4.5M4.5 13.2H9M9.6 2.8 6.4 13.2");
const CodeIcon = path("M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5");

/** The length is shown from here on. */
const NEAR_CHARS = 0.9 * TEXT_MAX_CHARS;
const isMac = /Mac|iP/.test(navigator.platform);

export function formatIn(field: HTMLTextAreaElement, as: Format): Selected {
  return rewrite(field, (selected) => format(selected, as));
}

export function shortcutOf(event: KeyboardEvent): Format | undefined {
  if (event.altKey || !(isMac ? event.metaKey : event.ctrlKey)) return undefined;
  const key = event.key.toLowerCase();
  if (event.shiftKey) return key === "c" ? "code" : undefined;
  return key === "b" ? "bold" : key === "i" ? "italic" : undefined;
}

interface FormatButtonsProps {
  readonly onFormat: (format: Format) => void;
}

export function FormatButtons({ onFormat }: FormatButtonsProps): ReactElement {
  const { format: says } = s;
  const modifier = isMac ? "⌘" : "Ctrl+";
  return (
    <div role="group" aria-label={says.label}>
      <IconButton label={says.bold} shortcut={`${modifier}B`} onClick={() => onFormat("bold")}>
        <BoldIcon />
      </IconButton>
      <IconButton label={says.italic} shortcut={`${modifier}I`} onClick={() => onFormat("italic")}>
        <ItalicIcon />
      </IconButton>
      <IconButton label={says.code} shortcut={`${modifier}⇧C`} onClick={() => onFormat("code")}>
        <CodeIcon />
      </IconButton>
    </div>
  );
}

/** Of a text that is long, or that isn't sent though there is one. */
export function LengthNote({ text }: { readonly text: string }): ReactElement | null {
  const { length } = normalise(text);
  const { length: says } = s;
  // Of blanks one sees that there is nothing.
  if (length === 0 && text.trim() !== "") return <span role="alert">{says.unseen}</span>;
  if (length <= NEAR_CHARS) return null;
  const isOver = length > TEXT_MAX_CHARS;
  return <>{isOver ? says.tooLong(length - TEXT_MAX_CHARS) : says.near(numberOf(length), numberOf(TEXT_MAX_CHARS))}</>;
}
