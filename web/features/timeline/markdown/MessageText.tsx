// A message's text: at once as it was typed, and as Markdown when the parser has been loaded (only if a text needs it).
import { useSyncExternalStore, type ReactElement, type ReactNode } from "react";
import { MentionedText } from "./MentionedText.tsx";
import { isPlain } from "./tree.ts";
import styles from "./MessageText.module.css";

type Renderer = (typeof import("./Markdown.tsx"))["Markdown"];

let renderer: Renderer | null = null;
let isLoading = false;
const waiting = new Set<() => void>();

function whenLoaded(notify: () => void): () => void {
  waiting.add(notify);
  if (renderer === null && !isLoading) void load();
  return () => waiting.delete(notify);
}

async function load(): Promise<void> {
  isLoading = true;
  try {
    renderer = (await import("./Markdown.tsx")).Markdown;
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
  const Markdown = useSyncExternalStore(plain ? never : whenLoaded, () => renderer);
  return (
    <div className={styles.text} dir="auto">
      {plain || Markdown === null ? (
        <p className={styles.typed}>
          <MentionedText text={text} />
          {after}
        </p>
      ) : (
        <Markdown text={text} after={after} />
      )}
    </div>
  );
}
