// Nodes for what the tokenizer's two GFM extensions find: struck text and bare addresses. The tree extensions made for
// them write Markdown as well, and look for addresses again in the finished tree; that isn't needed, and 2.7 kB more.
// And the backslashes that are no escapes in chat.
import type { CompileContext, Extension, Handle } from "mdast-util-from-markdown";

const asProtocol: Handle = function (this: CompileContext, token) {
  this.config.enter["autolinkProtocol"]?.call(this, token);
};

/** Of any other sign a backslash before it takes nothing, and was meant: \\server\share, \"quoted\". */
const MARKS = /[-*_~`[\]<>#+.)]/;
/** Of an underline behind a sign it takes the meaning, and was meant all the same: C:\_new, ¯\_(ツ)_/¯. */
const ENDS_IN_SIGN = /[^\s\p{L}\p{N}]$/u;

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
      const sign = this.sliceSerialize(token);
      if (tail?.type === "text" && (sign === "_" ? ENDS_IN_SIGN.test(tail.value) : !MARKS.test(sign)))
        tail.value += "\\";
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
