/** Real lines to post: NDJSON of `{"at", "nick", "text"}`, plain or .gz, and who says them. */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import * as v from "valibot";
import { personName, messageText } from "#protocol/text-schema.ts";

export interface Line {
  readonly nick: string;
  readonly text: string;
}

const line = v.object({
  nick: personName,
  text: v.pipe(messageText, v.minLength(1)),
});

/**
 * The first `count` lines that can be posted; what can't (empty, too long) is passed over. A shorter file starts again
 * from the top. Throws where the file has none, or is no NDJSON.
 */
export async function readLines(file: string, count: number): Promise<Line[]> {
  const read: Line[] = [];
  let number = 0;
  const input = open(file);
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    if (text.trim() === "") continue;
    const parsed = v.safeParse(line, parse(text, `${file}, line ${number}`));
    if (parsed.success) read.push(parsed.output);
    if (read.length === count) break;
  }
  input.destroy();
  if (read.length === 0) throw new Error(`${file} has no line like {"at": 0, "nick": "ana", "text": "hello"}`);
  return Array.from({ length: count }, (_, at) => read[at % read.length]!);
}

function open(file: string): Readable {
  const stream = createReadStream(file);
  if (!file.endsWith(".gz")) return stream;
  // An error of the file has to reach whoever reads the unpacked side.
  const unpacked = createGunzip();
  stream.on("error", (error) => unpacked.destroy(error));
  unpacked.on("close", () => stream.destroy());
  return stream.pipe(unpacked);
}

function parse(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${place} is not JSON`, { cause: error });
  }
}

export interface Cast {
  /** The names of the people, who speak most first. */
  readonly names: readonly string[];
  /** nick → index of the person who says what it said */
  readonly personOf: ReadonlyMap<string, number>;
}

/** Each of the most talkative nicks is a person; the others' lines are shared out among them, least laden first. */
export function castOf(lines: readonly Line[], people: number): Cast {
  const spoken = new Map<string, number>();
  for (const { nick } of lines) spoken.set(nick, (spoken.get(nick) ?? 0) + 1);
  const nicks = [...spoken].sort(([a, more], [b, less]) => less - more || (a < b ? -1 : 1));
  const names = nicks.slice(0, people).map(([nick]) => nick);
  for (let extra = names.length; extra < people; extra += 1) names.push(`Crew ${extra + 1}`);
  const load = names.map((name) => spoken.get(name) ?? 0);
  const personOf = new Map(names.map((name, index) => [name, index]));
  for (const [nick, count] of nicks.slice(people)) {
    const least = load.indexOf(Math.min(...load));
    load[least] = (load[least] ?? 0) + count;
    personOf.set(nick, least);
  }
  return { names, personOf };
}

/** `ana: look` or `ana, look`, as people wrote before there were marks for it, with the mark. */
export function withMention(text: string, names: ReadonlySet<string>): string {
  const match = /^([^\s:,]+)[:,]\s/.exec(text);
  return match?.[1] !== undefined && names.has(match[1]) ? `@${text}` : text;
}
