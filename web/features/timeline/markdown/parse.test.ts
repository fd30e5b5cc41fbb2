import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseMarkdown } from "./parse.ts";
import { safeHref } from "./safe-href.ts";
import { isPlain, type Block, type Inline } from "./tree.ts";

/** A tree in one line, to compare at a glance: `p(…)`, `em(…)`, `a[href](…)`, `/` for a break. */
function sketch(blocks: readonly Block[]): string {
  return blocks.map(sketchBlock).join(" ");
}

function sketchBlock(block: Block): string {
  switch (block.type) {
    case "paragraph":
      return `p(${sketchInlines(block.children)})`;
    case "quote":
      return `q(${sketch(block.children)})`;
    case "list":
      return `${block.numbers === null ? "ul" : `ol${block.numbers.join()}`}(${block.items.map(sketch).join(" | ")})`;
    case "code":
      return `pre${block.language === null ? "" : `[${block.language}]`}(${block.value})`;
  }
}

function sketchInlines(inlines: readonly Inline[]): string {
  return inlines.map(sketchInline).join("");
}

function sketchInline(inline: Inline): string {
  switch (inline.type) {
    case "text":
      return inline.value;
    case "break":
      return "/";
    case "code":
      return `code(${inline.value})`;
    case "link":
      return `a[${inline.href}](${sketchInlines(inline.children)})`;
    default:
      return `${inline.type}(${sketchInlines(inline.children)})`;
  }
}

function depthOf(node: Block | Inline): number {
  const below = "items" in node ? node.items.flat() : "children" in node ? node.children : [];
  return 1 + Math.max(0, ...below.map(depthOf));
}

function linksIn(node: Block | Inline): readonly string[] {
  const below = "items" in node ? node.items.flat() : "children" in node ? node.children : [];
  return [...("href" in node ? [node.href] : []), ...below.flatMap(linksIn)];
}

describe("what people write", () => {
  test.each([
    ["a *b* **c** ~~d~~ `e`", "p(a emphasis(b) strong(c) delete(d) code(e))"],
    ["***both***", "p(emphasis(strong(both)))"],
    ["one\ntwo\n\nthree", "p(one/two) p(three)"],
    ["> said\n> twice\n\nyes", "q(p(said/twice)) p(yes)"],
    ["- a\n- b\n  - c", "ul(p(a) | p(b) ul(p(c)))"],
    ["3. a\n4. b", "ol3,4(p(a) | p(b))"],
    ["2. yes\n4. no\n5) later", "ol2,4(p(yes) | p(no)) ol5(p(later))"],
    [
      "10. a\n9. b\n\n> 7. c\n> 7. d\n>    1. e\n>    3. f",
      "ol10,9(p(a) | p(b)) q(ol7,8(p(c) | p(d) ol1,3(p(e) | p(f))))",
    ],
    ["# Loud", "p(strong(Loud))"],
    ["```js\nlet a = '*';\n```", "pre[js](let a = '*';)"],
    ["see https://example.org/a_b, then", "p(see a[https://example.org/a_b](https://example.org/a_b), then)"],
    ["www.example.org", "p(a[http://www.example.org/](www.example.org))"],
    ["mail me@example.org", "p(mail a[mailto:me@example.org](me@example.org))"],
    ["[plan](https://example.org 'x')", "p(a[https://example.org/](plan))"],
    ["see www.example.org[1]", "p(see www.example.org[1])"],
    ["http://host:port/x <http://a:b>", "p(http://host:port/x http://a:b)"],
    ["snake_case_name", "p(snake_case_name)"],
    ["C:\\Users\\.config \\d+\\.\\d a\\-b", "p(C:\\Users\\.config \\d+\\.\\d a\\-b)"],
    ["\\- a\n1986\\. b\n\\# c\n> \\+ d", "p(- a/1986. b/# c) q(p(+ d))"],
    ["2 \\* 3", "p(2 * 3)"],
    ["\\\\nas\\plans C:\\(x86)\\ \\*", "p(\\\\nas\\plans C:\\(x86)\\ *)"],
    ["C:\\plans\\\nD:\\", "p(C:\\plans\\/D:\\)"],
    ['"a \\"b\\"" *\\{c\\}* \\\\*d*', 'p("a \\"b\\"" emphasis(\\{c\\}) \\\\emphasis(d))'],
    ["5*3*2 = 30, 2**3**4, a~b~c", "p(5*3*2 = 30, 2**3**4, a~b~c)"],
    ["5*3* 2, (*a*)b, x*(a)*y", "p(5emphasis(3) 2, (emphasis(a))b, x*(a)*y)"],
    ["2*x + **3** y*4 **a*b*c**", "p(2*x + strong(3) y*4 strong(a*b*c))"],
    ["这是*重要*的 и*нет*и", "p(这是emphasis(重要)的 и*нет*и)"],
    ["¯\\_(ツ)_/¯ C:\\_new C:\\_a_b \\_so\\_ snake\\_case", "p(¯\\_(ツ)_/¯ C:\\_new C:\\_a_b _so_ snake_case)"],
    ["hi <@x_a_b-1>, *<@x_>* and <@x_>", "p(hi <@x_a_b-1>, emphasis(<@x_>) and <@x_>)"],
  ])("%j", (text, tree) => {
    expect(sketch(parseMarkdown(text))).toBe(tree);
  });
});

describe("marks around nothing are shown as typed, for there is nothing else to see", () => {
  test.each([
    "-",
    "*",
    "+",
    ">",
    "#",
    "1.",
    "2)",
    "- -",
    "# #",
    "> >",
    "[]()",
    "```",
    "~~~",
    "```js",
    "``` ```",
    "` `",
  ])("%j", (text) => {
    expect(sketch(parseMarkdown(text))).toBe(`p(${text})`);
  });

  test.each([
    ["so:\n#", "p(so:) p(#)"],
    ["so:\n>\n\nyes", "p(so:) p(>) p(yes)"],
    ["so:\n```", "p(so:) p(```)"],
    ["- a\n- #\n-\n- b", "ul(p(a) | p(#) |  | p(b))"],
    ["> a\n> ```", "q(p(a) p(```))"],
    ["*\n*\n\n**yes**", "p(*/*) p(strong(yes))"],
  ])("%j beside words", (text, shown) => {
    expect(sketch(parseMarkdown(text))).toBe(shown);
  });
});

test("what stands behind three backticks is the first line, or a word that may be a language", () => {
  expect(sketch(parseMarkdown("```npm run build\nnpm start\n```"))).toBe("pre(npm run build\nnpm start)");
  expect(sketch(parseMarkdown("```ts\nlet a;\n```"))).toBe("pre[ts](let a;)");
});

describe("what is not for chat is shown as typed", () => {
  test.each([
    ["<b>bold</b> <script>alert(1)</script>", "p(<b>bold</b> <script>alert(1)</script>)"],
    ["<img src=x onerror=alert(1)>", "p(<img src=x onerror=alert(1)>)"],
    ["<!-- hidden -->", "p(<!-- hidden -->)"],
    ["![cat](https://example.org/cat.png)", "p(!a[https://example.org/cat.png](cat))"],
    ["title\n---", "p(title/---)"],
    ["---", "p(---)"],
    ["[a]: https://example.org\n\n[a]", "p([a]: a[https://example.org/](https://example.org)) p([a])"],
  ])("%j", (text, tree) => {
    expect(sketch(parseMarkdown(text))).toBe(tree);
  });
});

describe("hostile addresses never become links", () => {
  test.each([
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](<java\tscript:alert(1)>)",
    "[x](java&#10;script:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](&#x6A;&#x61;vascript&colon;alert(1))",
    "[x](\u0001javascript:alert(1))",
    "[x](javascript&Tab;:alert(1))",
    "[x](vbscript:msgbox(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](blob:https://example.org/1)",
    "[x](file:///etc/passwd)",
    "[x](filesystem:https://example.org/temporary/x)",
    "[x](//example.org)",
    "[x](/w/1/c/2)",
    "[x](#top)",
    "[x](?q)",
    "[x](intent://x#Intent;end)",
    "<javascript:alert(1)>",
    "<data:text/html,x>",
    "[x](jar:https://example.org!/x)",
    "[x](javascript%3Aalert(1))",
    "[x](ws://example.org)",
  ])("%j", (text) => {
    expect(parseMarkdown(text).flatMap(linksIn)).toEqual([]);
  });

  test("the address the browser will use is the one that was judged", () => {
    expect(safeHref("ht\ntps://example.org/\t")).toBe("https://example.org/");
    expect(safeHref("HTTPS:example.org")).toBe("https://example.org/");
  });

  test("a refused link shows both its words and its address", () => {
    expect(sketch(parseMarkdown("[free](javascript:alert)"))).toBe("p(free (javascript:alert))");
  });

  test("whatever is typed, every link is http, https or mailto", () => {
    const piece = fc.constantFrom(
      "[",
      "](",
      ")",
      "<",
      ">",
      "java",
      "script:",
      "data:",
      "&#58;",
      "\\",
      "https://a.b",
      "\n",
      "*",
      "`",
      "x",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        for (const href of parseMarkdown(pieces.join("")).flatMap(linksIn)) expect(href).toMatch(/^(?:https?|mailto):/);
      }),
    );
  });
});

describe("bounds", () => {
  const full = (piece: string): string => piece.repeat(Math.ceil(8_000 / piece.length)).slice(0, 8_000);
  const attacks = [
    ">",
    "> ",
    ">".repeat(89) + "\n",
    "- ",
    "1. ",
    "> - ",
    "*",
    "*a ",
    "**a *a ",
    "***a** ",
    "a*",
    "_a",
    "[",
    "![",
    "[a](b",
    "[a](<",
    "` `` ``` ",
    "~a ~~b ",
    "www.a",
    "http://a.b(",
    "a@b.",
    "&amp;",
    "<a ",
    "*_~[`",
    "漢字*",
    "\0",
    "\\*",
    "- a\n",
    "# a\n",
    "```\n",
    "&#1234567;",
    "😀*",
    "\u202E*a",
  ];
  // One that blows up doesn't end before the runner's own patience does.
  test.each(attacks)("8,000 characters of %j end, in a shallow tree", (piece) => {
    const blocks = parseMarkdown(full(piece));
    expect(Math.max(0, ...blocks.map(depthOf))).toBeLessThan(30);
  });

  test("deep nesting keeps its words", () => {
    const deep = `${"> ".repeat(500)}bottom`;
    expect(sketch(parseMarkdown(deep))).toContain("bottom");
    expect(sketch(parseMarkdown(`${"*a _b ".repeat(30)}bottom${" b_ a*".repeat(30)}`))).toContain("bottom");
  });
});

test("a text judged plain renders the same without the parser", () => {
  const letters = fc.string({
    unit: fc.constantFrom("a", "B", " ", ".", ",", "1", ")", "-", "=", "\n", "@", ":", "/", "w", "!", "|", "'", "é"),
  });
  fc.assert(
    fc.property(letters, (raw) => {
      const text = raw.trim();
      fc.pre(text !== "" && isPlain(text));
      const lines = text.split(/\n{2,}/).map(
        (lines) =>
          `p(${lines
            .split("\n")
            .map((line) => line.trimEnd())
            .join("/")})`,
      );
      expect(sketch(parseMarkdown(text))).toBe(lines.join(" "));
    }),
    { numRuns: 500 },
  );
});
