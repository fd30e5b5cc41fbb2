/**
 * Rooms killed with SIGKILL while they commit: nothing acknowledged is gone, nothing stands twice, and every sender's
 * order holds, though each sends again all that it has no answer for. Wrangler and workerd as they are, on the same data.
 */
import { setTimeout as after } from "node:timers/promises";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import * as v from "valibot";
import { authResponse, opsResponse } from "#protocol/http.ts";
import { OPS_IN_FLIGHT_MAX } from "#protocol/limits.ts";
import { seeded } from "../../web/test/sim/seeded.ts";
import { lineOf } from "../journeys/rooms.ts";
import { type App, launchApp } from "../rig/app.ts";
import { makeTeam, type Person, type Team } from "../rig/people.ts";

const SEED = 20_261_121;
const KILLS = 5;
const POSTS_EACH = 300;
const BATCH_MAX = 12;
const AGAIN_MS = 50;

let app: App;

beforeAll(async () => {
  app = await launchApp(inject("snapshot"));
});

afterAll(() => app.stop());

interface Post {
  readonly n: number;
  readonly id: string;
  readonly args: { readonly id: string; readonly text: string };
}

/** One person's device in one room: posts in batches over HTTP, and holds on to each until it is answered. */
class Writer {
  readonly #person: Person;
  readonly #room: string;
  readonly #device = uuidv7();
  readonly #posts: readonly Post[];
  #token: string | null = null;
  /** Answered in order: the posts before this place are acknowledged. */
  acked = 0;
  /** Posts sent more than once. */
  resent = 0;
  #sent = 0;

  constructor(person: Person, { workspace, general }: Team) {
    this.#person = person;
    this.#room = `${workspace.id}_${general}`;
    this.#posts = Array.from({ length: POSTS_EACH }, (_, at) => ({
      n: at + 1,
      id: uuidv7(),
      args: { id: uuidv7(), text: `${person.name} ${at}` },
    }));
  }

  get ids(): string[] {
    return this.#posts.map(({ args }) => args.id);
  }

  async run(batchOf: () => number): Promise<void> {
    while (this.acked < this.#posts.length) {
      const batch = this.#posts.slice(this.acked, this.acked + Math.min(batchOf(), OPS_IN_FLIGHT_MAX));
      this.resent += Math.max(0, Math.min(this.#sent, this.acked + batch.length) - this.acked);
      this.#sent = Math.max(this.#sent, this.acked + batch.length);
      await this.#send(batch).catch(() => after(AGAIN_MS));
    }
  }

  async #send(batch: readonly Post[]): Promise<void> {
    this.#token ??= v.parse(
      authResponse,
      await this.#person.post("/api/rooms/auth", { room: `channel:${this.#room}`, reason: "connect", v: 1 }),
    ).token;
    const response = await fetch(`${this.#person.url}/parties/channel/${this.#room}/ops`, {
      method: "POST",
      headers: { authorization: `Bearer ${this.#token}`, "content-type": "application/json" },
      body: JSON.stringify({
        device: this.#device,
        ops: batch.map((post) => ({ t: "op", op: "message.post", at: Date.now(), ...post })),
      }),
    });
    for (const answer of v.parse(opsResponse, await response.json()).results) {
      if (answer.t === "ack" && answer.n === this.acked + 1) this.acked += 1;
      else if (answer.t === "refuse" && answer.held) await after(1_000 * (answer.retryAfter ?? 0.1));
      else throw new Error(`Not an answer to ${this.acked + 1}: ${JSON.stringify(answer)}`);
    }
  }
}

test(`[OP1] [RV6] ${KILLS} times killed in the middle of commits: all that was acknowledged is there, once, in order`, async () => {
  const random = seeded(SEED);
  const team = await makeTeam(app.url, ["Ana", "Bo", "Cleo", "Dov"]);
  const writers = team.people.map((person) => new Writer(person, team));
  const writing = Promise.all(writers.map((writer) => writer.run(() => 1 + random.below(BATCH_MAX))));
  const acked = (): number => writers.reduce((sum, writer) => sum + writer.acked, 0);
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const enough = Math.max(acked() + 1, (writers.length * POSTS_EACH * kill) / (KILLS + 2));
    await expect.poll(acked, { timeout: 60_000, interval: 1 + random.below(30) }).toBeGreaterThanOrEqual(enough);
    await app.restart();
  }
  await writing;

  const history = await lineOf(team).history(team.general);
  const posted = history.filter((message) => !("system" in message));
  expect(history.map(({ seq }) => seq)).toEqual(history.map((_, at) => at + 1));
  for (const [at, writer] of writers.entries()) {
    const { id: user } = (await team.people[at]!.me()).user;
    expect(posted.filter(({ author }) => author === user).map(({ id }) => id)).toEqual(writer.ids);
  }
  expect(posted).toHaveLength(writers.length * POSTS_EACH);
  // Otherwise no kill hit a commit, and nothing was shown.
  expect(writers.reduce((sum, writer) => sum + writer.resent, 0)).toBeGreaterThan(0);
}, 240_000);
