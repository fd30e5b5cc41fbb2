import { expect, test } from "vitest";
import { filesNeeded, type Manifest } from "./bundle-size.ts";

const manifest: Manifest = {
  "index.html": { file: "assets/index.js", imports: ["_react.js"], dynamicImports: ["app/Channel.tsx"] },
  "_react.js": { file: "assets/react.js" },
  "app/Channel.tsx": { file: "assets/channel.js", imports: ["_react.js", "index.html"], dynamicImports: ["emoji.ts"] },
  "emoji.ts": { file: "assets/emoji.js" },
  "app/channel.css": { file: "assets/channel.css" },
};

test("static imports count, once; what is loaded on use doesn't", () => {
  expect([...filesNeeded(manifest, ["index.html"])]).toEqual(["assets/index.js", "assets/react.js"]);
  expect([...filesNeeded(manifest, ["index.html", "app/Channel.tsx", "app/merged.tsx"])]).toEqual([
    "assets/index.js",
    "assets/react.js",
    "assets/channel.js",
  ]);
});
