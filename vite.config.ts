/**
 * Builds the pages and the service worker, and names the test projects (each keeps its own
 * configuration beside its rigs). The order of a release build is scripts/build.ts.
 */
import { existsSync, readdirSync } from "node:fs";
import { basename, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { VitePWA } from "vite-plugin-pwa";
import { minify } from "terser";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const api = `http://127.0.0.1:${process.env["API_PORT"] ?? "8787"}`;
const isTesting = process.env["VITEST"] !== undefined;

const pwa = VitePWA({
  strategies: "injectManifest",
  srcDir: "sw",
  filename: "sw.ts",
  // The app asks; see web/sw.
  registerType: "prompt",
  injectRegister: false,
  manifestFilename: "manifest.webmanifest",
  includeAssets: ["icons/*"],
  injectManifest: {
    globPatterns: ["**/*.{js,css,html,svg,woff2}"],
    // The name of a built file changes with its contents: no second hash is needed.
    dontCacheBustURLsMatching: /assets\//,
    // As a classic script, whatever is imported in it: what exports something starts in no worker.
    rollupFormat: "iife",
    maximumFileSizeToCacheInBytes: 2 * 1024 * 1024,
  },
  manifest: {
    id: "/",
    name: "Causeway",
    short_name: "Causeway",
    description: "Team channels that keep working when the network doesn't.",
    lang: "en",
    start_url: "/",
    scope: "/",
    display: "standalone",
    theme_color: "#f2f6f7",
    background_color: "#fafcfd",
    icons: [
      { src: "/icons/icon-192.png", sizes: "192x192", type: "image/png" },
      { src: "/icons/icon-512.png", sizes: "512x512", type: "image/png" },
      { src: "/icons/icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
      { src: "/icons/icon.svg", sizes: "any", type: "image/svg+xml" },
    ],
  },
});

interface ModuleGraph {
  readonly getModuleInfo: (id: string) => { readonly importedIds: readonly string[] } | null;
}

const inWeb = (path: string): string => fileURLToPath(new URL(`web/${path}`, import.meta.url));
const PAGE = inWeb("main.tsx");

/**
 * These modules with all that they import, in one chunk. Left alone, whatever a later chunk shares with them becomes a
 * file of its own: some 25 of them, each a request, and 8 kB more in all, for small files compress badly.
 */
function piece(name: string, priority: number, entries: readonly string[]): OutputGroup {
  const gone = entries.filter((entry) => !existsSync(inWeb(entry)));
  if (gone.length > 0) throw new Error(`The piece "${name}" names modules that aren't there: ${gone.join(", ")}`);
  const found = new Set<string>();
  const visit = (id: string, graph: ModuleGraph): void => {
    if (found.has(id)) return;
    found.add(id);
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) visit(imported, graph);
  };
  return {
    debugName: name,
    priority,
    name: (id, graph) => {
      for (const entry of entries) visit(inWeb(entry), graph);
      return found.has(id) && id !== PAGE ? name : null;
    },
  };
}

interface OutputGroup {
  readonly debugName: string;
  readonly priority: number;
  readonly name: (id: string, graph: ModuleGraph) => string | null;
}

const of = (folder: string, names: string): string[] => names.split(" ").map((name) => `${folder}/${name}`);

/**
 * What two pieces share is in the one named first, so each imports only from those above it. Left alone, what comes behind
 * the first three would be 130 files, 110 of them below 1.5 kB, and the worker asks for each at a first visit: so all of it
 * is 36 files, and 21 kB less. What is needed at about the same time is together, and what may be asked for early stands
 * above the screens' and imports none of theirs.
 */
const PIECES = Object.entries({
  // What the page starts with; what is asked for as soon as the composer stands there; what stands around it.
  start: ["main.tsx"],
  beside: ["app/ChannelTimeline.tsx", "store/timeline.ts"],
  around: ["features/channels/Sidebar.tsx"],
  // May be needed before the composer stands there.
  failing: ["../party/protocol/errors.ts", "sync/recover.ts", "store/memory.ts", "store/memory-index.ts"],
  CannotOpen: ["app/CannotOpen.tsx"],
  // Right behind the first screen: the worker, and who leads. The engine comes next, with what it shares with the commands.
  behind: ["app/behind.ts", "ui/grow.ts"],
  "lead-here": ["sync/lead-here.ts", "store/keep.ts", "store/apart.ts"],
  calls: [
    "sync/held-back-for.ts",
    "sync/edge.ts",
    "sync/default-config.ts",
    "sync/waiting.ts",
    ...of("../party/protocol", "parse.ts field-limits.ts"),
  ],
  kept: [
    ...of("sync", "storage-care.ts watch-waiting.ts rebuild.ts forget-beside.ts taken-back.ts hold-back.ts backoff.ts"),
    ...of("app", "surroundings.ts export-device.ts remove-device.ts"),
    ...of("store", "offline-choice.ts drop-op.ts"),
  ],
  views: [...of("sync", "status-view.ts readiness-view.ts"), ...of("store", "pins-view.ts message-view.ts")],
  search: ["sync/search/open-search.ts", "app/search-worker.ts"],
  // What most screens, menus and dialogs are made of.
  controls: [
    ...of("ui", "Checkbox.tsx Confirm.tsx Menu.tsx OptionList.tsx VisuallyHidden.tsx icons-more.tsx moment.ts"),
    ...of("ui", "choose-appearance.ts connection-words.ts countdown.ts search-key.ts"),
    ...of("ui", "strings-actions.ts strings-conflict.ts strings-unfinished.ts"),
    ...of(
      "features",
      "answer-no-more.ts CopyByHand.tsx DialogForm.tsx Screen.tsx SearchField.tsx copy.ts second-press.ts",
    ),
    ...of(
      "features",
      "timeline/actions.ts timeline/saves.ts composer/use-left-edit.ts outbox/may-retry.ts outbox/under-way.ts",
    ),
    "app/TabMark.tsx",
  ],
  frame: [
    ...of("app", "BehindWorkspace.tsx DeleteMessage.tsx"),
    ...of("features/channels", "ConnectionPill.tsx FirstSteps.tsx SearchKeys.tsx"),
    ...of("features/timeline", "Announcer.tsx Asides.tsx system-sentence.ts"),
  ],
  typing: [
    ...of("features/composer", "FormatButtons.tsx MentionList.tsx Saving.tsx TypingNames.tsx mention.ts"),
    "app/Replying.tsx",
  ],
  unsent: [
    ...of("features", "SaveUnsent.tsx sign-out.ts unsent.ts use-held-back.ts refusal-reason.ts"),
    ...of("features/outbox", "NotedTexts.tsx describe.ts"),
    ...of("ui", "strings-offline.ts strings-status.ts"),
  ],
  refused: [
    ...of("app", "ClosedChannel.tsx MissingChannel.tsx RefusedChannel.tsx reaching.ts"),
    ...of("features/timeline", "NotHere.tsx Refused.tsx"),
  ],
  dialogs: [
    ...of("features/channels", "ChannelDialog.tsx ChannelMenu.tsx SidebarDialog.tsx SidebarMenu.tsx"),
    "app/ChannelPanel.tsx",
  ],
  notices: ["app/UpdateBar.tsx", "features/outbox/LostNotice.tsx"],
}).map(([name, entries], index, { length }) => piece(name, length - index, entries));

/**
 * The first stylesheet to name a layer decides its rank, and shared chunks are linked before the entry: so each says
 * the order of all of them, as ui/tokens.css does.
 */
const layerOrder: Plugin = {
  name: "layer-order",
  enforce: "post",
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== "asset" || !file.fileName.endsWith(".css")) continue;
      file.source = `@layer reset,tokens,ui,features;${String(file.source)}`;
    }
  },
};

/**
 * Ways to make it smaller still, each tried on what those before made of it. Code that is written out once more wherever it
 * is called compresses well, or badly.
 */
const KEPT_APART = { passes: 2, inline: false, reduce_funcs: false };
const WAYS = [
  { ...KEPT_APART, passes: 3, unsafe_arrows: true, sequences: false },
  { passes: 2 },
  { ...KEPT_APART, hoist_funs: true },
  // Nothing that an object or a table of the parser's holds is ever called with `new`.
  { ...KEPT_APART, unsafe_methods: true },
  { ...KEPT_APART, unsafe_arrows: true },
];

/**
 * A second pass over what the bundler made small: 1 kB less until the history stands, where it is smaller at all. Behind
 * Vite's own, which write the list of what a piece imports into it by its long name.
 */
const smallerStill: Plugin = {
  name: "smaller-still",
  apply: "build",
  enforce: "post",
  generateBundle: {
    order: "post",
    async handler(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== "chunk") continue;
        for (const compress of WAYS) {
          const { code } = await minify(file.code, { module: true, ecma: 2020, compress });
          if (code !== undefined && gzipSync(code).length < gzipSync(file.code).length) file.code = code;
        }
      }
    },
  },
};

/**
 * The Markdown that chat leaves out (features/timeline/markdown/parse.ts) isn't shipped: 3 kB. The parser names all of
 * its constructs in one table, so nothing else can tell that these are never used; nor what only they or faults need.
 */
const leftOutMarkdown: Plugin = {
  name: "left-out-markdown",
  enforce: "pre",
  resolveId(source, importer) {
    const isConstruct =
      /^\.\/lib\/(?:html-flow|html-text|character-reference|definition|hard-break-escape|label-start-image|setext-underline)\.js$/.test(
        source,
      ) && importer?.includes("/micromark-core-commonmark/");
    return isConstruct || /^(?:micromark-util-normalize-identifier|unist-util-stringify-position)$/.test(source)
      ? LEFT_OUT
      : null;
  },
};
const LEFT_OUT = fileURLToPath(new URL("web/features/timeline/markdown/left-out.ts", import.meta.url));

/** Files of styles are called after their component, so both names together are nobody else's. */
const inFull = (name: string, file: string): string => `${basename(file, ".module.css")}-${name}`;

const STYLES = readdirSync(inWeb("."), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".module.css"))
  .toSorted();

/** The number of the file and of the name in it: 150 bytes less until the history stands. */
function inShort(name: string, file: string, css: string): string {
  const names = [...new Set(css.match(/(?<=\.|@keyframes )[a-z][\w-]*/gi))];
  const numbers = [STYLES.indexOf(relative(inWeb("."), file)), names.indexOf(name)];
  if (numbers.includes(-1)) throw new Error(`${name} isn't found in ${file}.`);
  return `s${numbers.map((number) => number.toString(36)).join("-")}`;
}

/**
 * Of built files. They stand in the first script, where no compression helps a hash. Seven of these characters tell four
 * million million apart, and only files of one name have to be.
 */
const NAMES = Object.fromEntries(
  (["chunkFileNames", "entryFileNames", "assetFileNames"] as const).map((of) => [
    of,
    `assets/[name]-[hash:7]${of === "assetFileNames" ? "[extname]" : ".js"}`,
  ]),
);

/**
 * Vitest plays large files first, project by project. Of the fault matrix the smallest take longest, such as the ten
 * episodes: played last, they leave one processor idle for minutes. And where there is no time for all (TEST_UNTIL), what
 * is left out is to be what shows at a glance, and nobody's words. Here and in no file of its own, for the sources that are
 * built as the next version (e2e/rig/next-build.ts) have no tests.
 */
class WordsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const turnOf = ({ project, moduleId }: TestSpecification): number =>
      project.name === "faults" ? 0 : AT_A_GLANCE.has(basename(moduleId, ".e2e.ts")) ? 2 : 1;
    return (await super.sort(files)).toSorted((a, b) => turnOf(a) - turnOf(b));
  }
}

const AT_A_GLANCE: ReadonlySet<string> = new Set(["focus", "history", "screens", "naughty", "first-screen"]);

export default defineConfig({
  ...(isTesting
    ? {}
    : {
        root: fileURLToPath(new URL("web", import.meta.url)),
        plugins: [react(), layerOrder, leftOutMarkdown, smallerStill, pwa],
      }),
  server: {
    host: "127.0.0.1",
    port: 5173,
    strictPort: true,
    proxy: {
      "/parties": { target: api, ws: true },
      ...Object.fromEntries(
        ["/api", "/hooks", "/slack-api", "/config.json", "/healthz", "/.well-known"].map((path) => [
          path,
          { target: api },
        ]),
      ),
    },
  },
  resolve: {
    alias: {
      "decode-named-character-reference": fileURLToPath(
        new URL("web/features/timeline/markdown/named-references.ts", import.meta.url),
      ),
    },
  },
  css: { modules: { generateScopedName: isTesting ? inFull : inShort } },
  build: {
    target: "es2023",
    outDir: fileURLToPath(new URL(".build/pages", import.meta.url)),
    emptyOutDir: true,
    manifest: true,
    // Inlined assets would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // What each later piece imports would be listed in the first script: 79 names with a hash each, 1 kB that everybody
      // waits for, to spare a round trip until the worker keeps them. Only a first visit's wait for the engine is worth
      // that; styles have no other way to be asked for.
      resolveDependencies: (file, needed, { hostType }) =>
        hostType === "html" || /\/engine-/.test(file) ? needed : needed.filter((name) => name.endsWith(".css")),
    },
    rolldownOptions: { output: { ...NAMES, codeSplitting: { groups: PIECES } } },
  },
  test: {
    sequence: { sequencer: WordsFirst },
    projects: [
      "web/test/vitest.config.ts",
      "party/test/vitest.config.ts",
      "e2e/vitest.restart.config.ts",
      "e2e/vitest.faults.config.ts",
      "e2e/vitest.releases.config.ts",
      "e2e/vitest.config.ts",
    ],
  },
});
