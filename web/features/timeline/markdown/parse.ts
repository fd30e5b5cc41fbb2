// Markdown to our own tree. Loaded lazily, together with its renderer. Bounded: whatever is typed, it takes a fraction
// of a second and never overflows the stack; what exceeds the bounds is shown as it was typed.
import type { Delete, Emphasis, ListItem, Nodes, PhrasingContent, RootContent, Strong } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmAutolinkLiteral } from "micromark-extension-gfm-autolink-literal";
import { gfmStrikethrough } from "micromark-extension-gfm-strikethrough";
import { safeHref } from "./safe-href.ts";
import type { Block, Inline } from "./tree.ts";
import { treeExtension } from "./tree-extension.ts";

/** Deeper than this, contents are shown as their bare text. Nobody writes it; only attacks do. */
const DEPTH_MAX = 12;
/** The parser's time grows with the square of these (0.4 to 1.3 s at 8,000 characters), so such a text stays plain. */
const NESTED_MARKERS = /^(?:[ \t]{0,3}(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))){13}/m;
const DELIMITER_RUNS_MAX = 500;

// Not for chat: HTML and character references show as typed; an underline of dashes doesn't turn the line above into a
// heading, nor three dashes into a rule; a definition would vanish from sight, and so would a backslash at the end of a
// line; an image is a link to it.
const LEFT_OUT = [
  "htmlFlow",
  "htmlText",
  "characterReference",
  "definition",
  "hardBreakEscape",
  "labelStartImage",
  "setextUnderline",
  "thematicBreak",
];

const ENDS_IN_WORD = /[\p{Lu}\p{Ll}\p{N}]$/u;
const BEGINS_WITH_WORD = /^[\p{Lu}\p{Ll}\p{N}]/u;

const OPTIONS = {
  extensions: [gfmStrikethrough(), gfmAutolinkLiteral(), { disable: { null: LEFT_OUT } }],
  mdastExtensions: [treeExtension],
};

export function parseMarkdown(text: string): readonly Block[] {
  if (isBeyondBounds(text)) return [asTyped(text)];
  return blocksOf(fromMarkdown(text, OPTIONS).children, text, 0);
}

function isBeyondBounds(text: string): boolean {
  return NESTED_MARKERS.test(text) || (text.match(/[*_~]+/g)?.length ?? 0) > DELIMITER_RUNS_MAX;
}

function asTyped(text: string): Block {
  return { type: "paragraph", children: linesOf(text) };
}

/** @param text all of what was typed, in which the nodes have their places */
function blocksOf(nodes: readonly RootContent[], text: string, depth: number): Block[] {
  return nodes.flatMap((node): Block | readonly Block[] => {
    if (depth > DEPTH_MAX) return asTyped(bareText(node));
    // Marks around nothing ("-", "#", three backticks) are what was meant: without them there would be nothing to see.
    if (bareText(node).trim() === "")
      return asTyped(text.slice(node.position?.start.offset, node.position?.end.offset));
    switch (node.type) {
      case "paragraph":
        return { type: "paragraph", children: inlinesOf(node.children, text, depth + 1) };
      case "heading":
        return {
          type: "paragraph",
          children: [{ type: "strong", children: inlinesOf(node.children, text, depth + 1) }],
        };
      case "blockquote":
        return { type: "quote", children: blocksOf(node.children, text, depth + 1) };
      case "list":
        return {
          type: "list",
          numbers: node.ordered ? numbersOf(node.children, text) : null,
          items: node.children.map((item) => blocksOf(item.children, text, depth + 1)),
        };
      case "code":
        // A language is one word; more is the first line of what somebody put between backticks.
        return node.meta
          ? { type: "code", language: null, value: `${node.lang} ${node.meta}\n${node.value}` }
          : { type: "code", language: node.lang ?? null, value: node.value };
      default:
        return asTyped(bareText(node));
    }
  });
}

/**
 * As typed, though the parser keeps the first alone: whoever answers the second and the fourth question means these.
 * Where all are the same, they are to be counted.
 */
function numbersOf(items: readonly ListItem[], text: string): readonly number[] {
  const typed = items.map(({ position }) => parseInt(text.slice(position?.start.offset), 10));
  const isCounted = new Set(typed).size === 1;
  return typed.map((number, at) => (isCounted ? number + at : number));
}

function inlinesOf(nodes: readonly PhrasingContent[], text: string, depth: number): Inline[] {
  return nodes.flatMap((node): Inline | readonly Inline[] => {
    if (depth > DEPTH_MAX) return linesOf(bareText(node));
    switch (node.type) {
      case "text":
        return linesOf(node.value);
      case "break":
        return { type: "break" };
      case "inlineCode":
        return { type: "code", value: node.value };
      case "emphasis":
      case "strong":
      case "delete": {
        const children = inlinesOf(node.children, text, depth + 1);
        const marks = marksInWord(node, text);
        return marks === null ? { type: node.type, children } : [asText(marks), ...children, asText(marks)];
      }
      case "link": {
        const href = safeHref(node.url);
        const children = inlinesOf(node.children, text, depth + 1);
        if (href !== null && children.length > 0) return { type: "link", href, children };
        // Nobody wrote more than "www.…" or "http://host:port", of which no address can be made.
        const bare = bareText(node);
        if (node.url === bare || node.url === `http://${bare}`) return children;
        // A refused or empty link hides nothing: both its words and its address are shown.
        return [...children, asText(children.length > 0 ? ` (${node.url})` : node.url)];
      }
      default:
        return linesOf(bareText(node));
    }
  });
}

/**
 * The marks of what stands in the middle of a word or a number, where they were meant as signs: 5*3*2, 2**3**4. Null where
 * they are marks. Scripts that put no spaces between words have no case.
 */
function marksInWord({ position, children }: Emphasis | Strong | Delete, text: string): string | null {
  const from = position?.start.offset ?? 0;
  const isInWord =
    ENDS_IN_WORD.test(text.slice(Math.max(0, from - 2), from)) &&
    BEGINS_WITH_WORD.test(text.slice(position?.end.offset));
  return isInWord ? text.slice(from, children[0]?.position?.start.offset) : null;
}

/** A line break in the text is a line break on screen. */
function linesOf(value: string): readonly Inline[] {
  const lines = value.split("\n");
  return lines.flatMap((line, index): readonly Inline[] => {
    const text: readonly Inline[] = line === "" ? [] : [asText(line)];
    return index === 0 ? text : [{ type: "break" }, ...text];
  });
}

function asText(value: string): Inline {
  return { type: "text", value };
}

/** All text in a node, however deep: a walk with its own stack. */
function bareText(node: Nodes): string {
  const found: string[] = [];
  const ahead: Nodes[] = [node];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    if ("value" in next) found.push(next.value);
    else if ("children" in next) ahead.push(...next.children.toReversed());
  }
  return found.join("");
}
