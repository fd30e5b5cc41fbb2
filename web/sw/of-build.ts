// Which answers are files of this build: only those are kept.

export const PAGE = "/index.html";

/** What a file of that kind is served as; anything else under its name is somebody else's. */
const TYPES: readonly (readonly [RegExp, RegExp])[] = [
  [/\.js$/, /javascript/],
  [/\.css$/, /^text\/css/],
  [/\.html$/, /^text\/html/],
  [/\.svg$/, /^image\/svg/],
  [/\.png$/, /^image\/png/],
  [/\.webmanifest$/, /json/],
];

/**
 * Whether an answer is the file of this build that was asked for. A portal answers everything with a page of its own, and
 * a server may have moved on to another build in the middle: its page names files that this build hasn't.
 * @param assets paths of the build's files
 */
export async function isOfBuild(path: string, response: Response, assets: ReadonlySet<string>): Promise<boolean> {
  if (response.status !== 200) return false;
  const type = response.headers.get("content-type") ?? "";
  const expected = TYPES.find(([name]) => name.test(path));
  if (expected !== undefined && !expected[1].test(type)) return false;
  if (path !== PAGE) return true;
  const named = [...(await response.clone().text()).matchAll(/\/assets\/[\w.-]+/g)].map(([name]) => name);
  return named.length > 0 && named.every((name) => assets.has(name));
}
