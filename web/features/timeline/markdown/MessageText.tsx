// A message's text: at once as it was typed, and as Markdown when the parser has been loaded.
import type { ReactElement, ReactNode } from "react";
import { laterCode } from "../../../ui/later.tsx";
import { MentionedText } from "./MentionedText.tsx";
import { isPlain } from "./tree.ts";
import styles from "./MessageText.module.css";

/** Offline before the shell was cached the text stays as typed, and the next message that needs it tries again. */
const useMarkdown = laterCode(() => import("./render-markdown.tsx"));

interface MessageTextProps {
  readonly text: string;
  /** Stands behind the last word. */
  readonly after?: ReactNode;
}

export function MessageText({ text, after }: MessageTextProps): ReactElement {
  const plain = isPlain(text);
  // Asked for by the first message, plain or not: coming later it would change heights under whoever scrolls.
  const markdown = useMarkdown(true);
  return (
    <div className={styles.text} dir="auto">
      {plain || markdown === null ? (
        <p className={styles.typed}>
          <MentionedText text={text} />
          {after}
        </p>
      ) : (
        markdown.renderMarkdown(text, after)
      )}
    </div>
  );
}
