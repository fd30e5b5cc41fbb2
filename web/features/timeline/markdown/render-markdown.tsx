// The tree of a message's text as React elements. There is no path from here to HTML.
import type { ReactElement, ReactNode } from "react";
import { MentionedText } from "./MentionedText.tsx";
import { parseMarkdown } from "./parse.ts";
import type { Block, Inline } from "./tree.ts";
import styles from "./Markdown.module.css";

/** Parsed texts by the text itself, so an edit can't show an old tree; the oldest go when there are many. */
const parsed = new Map<string, readonly Block[]>();
const PARSED_MAX = 400;

function blocksOf(text: string): readonly Block[] {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const blocks = parseMarkdown(text);
  const oldest = parsed.keys().next();
  if (parsed.size >= PARSED_MAX && !oldest.done) parsed.delete(oldest.value);
  parsed.set(text, blocks);
  return blocks;
}

/** `after` stands behind the last word, or below where the text doesn't end in a paragraph. */
export function renderMarkdown(text: string, after: ReactNode): ReactElement {
  const blocks = blocksOf(text);
  const last = blocks.at(-1);
  if (last?.type !== "paragraph") {
    return (
      <>
        {renderBlocks(blocks)}
        {after}
      </>
    );
  }
  return (
    <>
      {renderBlocks(blocks.slice(0, -1))}
      <p dir="auto">
        {renderInlines(last.children)}
        {after}
      </p>
    </>
  );
}

function renderBlock(block: Block, key: number): ReactNode {
  switch (block.type) {
    case "paragraph":
      return (
        <p key={key} dir="auto">
          {renderInlines(block.children)}
        </p>
      );
    case "quote":
      return (
        <blockquote key={key} className={styles.quote} dir="auto">
          {renderBlocks(block.children)}
        </blockquote>
      );
    case "list": {
      const { numbers } = block;
      const items = block.items.map((item, at) => (
        <li key={at} value={numbers?.[at]}>
          {renderBlocks(item)}
        </li>
      ));
      return numbers === null ? (
        <ul key={key} dir="auto" className={styles.list}>
          {items}
        </ul>
      ) : (
        <ol key={key} dir="auto" className={styles.list} style={{ paddingInlineStart: `${widthOf(numbers)}ch` }}>
          {items}
        </ol>
      );
    }
    case "code":
      // Focusable, for a long line can only be scrolled with the keyboard when it is.
      return (
        <pre key={key} dir="ltr" className={styles.block} tabIndex={0}>
          {block.language !== null && <span className={styles.language}>{block.language}</span>}
          <code>
            <MentionedText text={block.value} />
          </code>
        </pre>
      );
  }
}

/** In digits, with the dot and its space: what doesn't fit would stand under the author's picture or beyond the edge. */
function widthOf(numbers: readonly number[]): number {
  return String(Math.max(...numbers)).length + 1.6;
}

function renderBlocks(blocks: readonly Block[]): ReactNode {
  return blocks.map((block, at) => renderBlock(block, at));
}

function renderInlines(inlines: readonly Inline[]): ReactNode {
  return inlines.map((inline, key) => {
    switch (inline.type) {
      case "text":
        return <MentionedText key={key} text={inline.value} />;
      case "break":
        return <br key={key} />;
      case "code":
        return (
          <code key={key} className={styles.code}>
            <MentionedText text={inline.value} />
          </code>
        );
      case "emphasis":
        return <em key={key}>{renderInlines(inline.children)}</em>;
      case "strong":
        return <strong key={key}>{renderInlines(inline.children)}</strong>;
      case "delete":
        return <del key={key}>{renderInlines(inline.children)}</del>;
      case "link":
        return (
          <a key={key} href={inline.href} title={inline.href} target="_blank" rel="noopener noreferrer">
            {renderInlines(inline.children)}
          </a>
        );
    }
  });
}
