/** Many people who write at once, each within the rate of one person. */
import { setTimeout as after } from "node:timers/promises";
import { OPS_PER_SECOND } from "#protocol/limits.ts";
import { makeTeam, type Team } from "../e2e/rig/people.ts";
import { Line } from "../e2e/journeys/rooms.ts";

export interface Crowd {
  /** The first of its people only reads. */
  readonly team: Team;
  /** As fast as they may. */
  readonly fill: (texts: readonly string[]) => Promise<void>;
  /** One after the other, so many a second; answers when the last was sent, epoch ms. */
  readonly say: (texts: readonly string[], perSecond: number) => Promise<number>;
}

const WRITERS = 50;
/** Of one call. */
const BATCH = 10;

export async function gather(url: string): Promise<Crowd> {
  const team = await makeTeam(url, ["Ana", ...Array.from({ length: WRITERS }, (_, at) => `Writer ${at}`)]);
  const lines = team.people.slice(1).map((person) => new Line(person, team.workspace.id));
  return {
    team,
    async fill(texts) {
      const share = Math.ceil(texts.length / lines.length);
      await Promise.all(lines.map((line, at) => line.post(team.general, texts.slice(at * share, (at + 1) * share))));
    },
    async say(texts, perSecond) {
      if (perSecond > OPS_PER_SECOND * lines.length) throw new Error(`${perSecond} a second are too many`);
      const begun = performance.now();
      // Each numbers what they say, so they say one thing after the other.
      const turns: Promise<unknown>[] = lines.map(() => Promise.resolve());
      let sentAt = 0;
      for (let from = 0; from < texts.length; from += BATCH) {
        await after(Math.max(0, begun + (from / perSecond) * 1_000 - performance.now()));
        const at = (from / BATCH) % lines.length;
        turns[at] = turns[at]!.then(() => {
          sentAt = Date.now();
          return lines[at]!.post(team.general, texts.slice(from, from + BATCH));
        });
      }
      await Promise.all(turns);
      return sentAt;
    },
  };
}
