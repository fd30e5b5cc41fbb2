// A message's text: at once as it was typed, and as Markdown when the parser has been loaded (only if a text needs it).
import { useSyncExternalStore, type ReactElement, type ReactNode } from "react";
import { MentionedText } from "./MentionedText.tsx";
import { isPlain } from "./tree.ts";
import styles from "./MessageText.module.css";

type Render = (typeof import("./render-markdown.tsx"))["renderMarkdown"];

let renderMarkdown: Render | null = null;
let isLoading = false;
const waiting = new Set<() => void>();

function whenLoaded(notify: () => void): () => void {
  waiting.add(notify);
  if (renderMarkdown === null && !isLoading) void load();
  return () => waiting.delete(notify);
}

async function load(): Promise<void> {
  isLoading = true;
  try {
    ({ renderMarkdown } = await import("./render-markdown.tsx"));
    for (const notify of waiting) notify();
  } catch {
    // Offline before the shell was cached: the text stays as typed, and the next message that needs it tries again.
  } finally {
    isLoading = false;
  }
}

const never = (): (() => void) => () => undefined;

interface MessageTextProps {
  readonly text: string;
  /** Stands behind the last word. */
  readonly after?: ReactNode;
}

export function MessageText({ text, after }: MessageTextProps): ReactElement {
  const plain = isPlain(text);
  const render = useSyncExternalStore(plain ? never : whenLoaded, () => renderMarkdown);
  return (
    <div className={styles.text} dir="auto">
      {plain || render === null ? (
        <p className={styles.typed}>
          <MentionedText text={text} />
          {after}
        </p>
      ) : (
        render(text, after)
      )}
    </div>
  );
}
