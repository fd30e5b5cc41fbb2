// What a message's text may become: the few shapes we show, free of any parser's types. Nothing here can hold HTML.
import { splitAtMentions } from "#protocol/text.ts";

export type Inline =
  | { readonly type: "text"; readonly value: string }
  | { readonly type: "break" }
  | { readonly type: "code"; readonly value: string }
  | { readonly type: "emphasis" | "strong" | "delete"; readonly children: readonly Inline[] }
  /** `href` has passed `safeHref`. */
  | { readonly type: "link"; readonly href: string; readonly children: readonly Inline[] };

export type Block =
  | { readonly type: "paragraph"; readonly children: readonly Inline[] }
  | { readonly type: "quote"; readonly children: readonly Block[] }
  /** `numbers` as shown; null for a list without. */
  | {
      readonly type: "list";
      readonly numbers: readonly number[] | null;
      readonly items: readonly (readonly Block[])[];
    }
  /** `language` as typed behind the backticks. */
  | { readonly type: "code"; readonly language: string | null; readonly value: string };

/** Everything that could mean something in Markdown; a text without it renders the same with or without the parser. */
const MARKUP = /[\\`*_~<>[\]#+&]|^\s|\n\s|^\d+[.)]|\n\d+[.)]|^-|\n-|^=|\n=|:\/\/|www\.|@[\w-]*\./i;

/** Mentions are looked after on either way, so their brackets don't count. */
export function isPlain(text: string): boolean {
  return !MARKUP.test(
    splitAtMentions(text)
      .map((part, at) => (at % 2 === 0 ? part : "x"))
      .join(""),
  );
}
