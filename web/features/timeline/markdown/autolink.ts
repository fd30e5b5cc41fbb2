// Bare addresses as links: nodes for what the tokenizer of micromark-extension-gfm-autolink-literal has found. The tree
// extension made for it also looks for addresses again in the finished tree, recursively; that isn't needed, and
// 2.4 kB more.
import type { CompileContext, Extension, Handle } from "mdast-util-from-markdown";

const asProtocol: Handle = function (this: CompileContext, token) {
  this.config.enter["autolinkProtocol"]?.call(this, token);
};

export const autolinkFromMarkdown: Extension = {
  enter: {
    literalAutolink(token) {
      this.enter({ type: "link", title: null, url: "", children: [] }, token);
    },
    literalAutolinkEmail: asProtocol,
    literalAutolinkHttp: asProtocol,
    literalAutolinkWww: asProtocol,
  },
  exit: {
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
