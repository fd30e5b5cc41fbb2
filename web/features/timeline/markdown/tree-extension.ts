// Nodes for what the tokenizer's two GFM extensions find: struck text and bare addresses. The tree extensions made for
// them write Markdown as well, and look for addresses again in the finished tree; that isn't needed, and 2.7 kB more.
// And the backslashes that are no escapes in chat.
import type { CompileContext, Extension, Handle } from "mdast-util-from-markdown";

const asProtocol: Handle = function (this: CompileContext, token) {
  this.config.enter["autolinkProtocol"]?.call(this, token);
};

const MARKS = /[*~`[\]<>]/;
const MARKS_OF_LINES = /(?:^|\n)(?:[-+#]|\d+[.)])$/;
const ENDS_IN_SIGN = /[^\s\p{L}\p{N}]$/u;

/**
 * Whether a backslash takes the meaning of a sign, and isn't shown. Of one that has none there it was meant itself:
 * \\server\share, \"quoted\", C:\Users\.config. Before an underline behind another sign it does both: C:\_new, ¯\_(ツ)_/¯.
 */
function isEscape(sign: string, before: string): boolean {
  return sign === "_" ? !ENDS_IN_SIGN.test(before.slice(-2)) : MARKS.test(sign) || MARKS_OF_LINES.test(before + sign);
}

export const treeExtension: Extension = {
  canContainEols: ["delete"],
  enter: {
    strikethrough(token) {
      this.enter({ type: "delete", children: [] }, token);
    },
    literalAutolink(token) {
      this.enter({ type: "link", title: null, url: "", children: [] }, token);
    },
    literalAutolinkEmail: asProtocol,
    literalAutolinkHttp: asProtocol,
    literalAutolinkWww: asProtocol,
  },
  exit: {
    characterEscapeValue(token) {
      const tail = this.stack.at(-1);
      if (tail?.type === "text" && !isEscape(this.sliceSerialize(token), tail.value)) tail.value += "\\";
      this.config.exit["data"]?.call(this, token);
    },
    strikethrough(token) {
      this.exit(token);
    },
    literalAutolink(token) {
      this.exit(token);
    },
    literalAutolinkEmail(token) {
      this.config.exit["autolinkEmail"]?.call(this, token);
    },
    literalAutolinkHttp(token) {
      this.config.exit["autolinkProtocol"]?.call(this, token);
    },
    literalAutolinkWww(token) {
      this.config.exit["data"]?.call(this, token);
      const link = this.stack.at(-1);
      if (link?.type === "link") link.url = `http://${this.sliceSerialize(token)}`;
    },
  },
};
