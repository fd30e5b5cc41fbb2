// A room keeps the numbers of so many devices of a person. What those it forgot had done isn't done again.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LiveMessage } from "#protocol/entities/message.ts";
import type { OpFrame } from "#protocol/frames/op.ts";
import type { DeviceId } from "#protocol/ids.ts";
import { DEVICES_MAX, LEGACY_MAX } from "#protocol/limits.ts";
import { OLGA, outcome, Team, type Person } from "../test/people.ts";
import { legacyOf, type Device } from "./devices.ts";

describe("devices that are forgotten", () => {
  it("forgets the least recent of 33 devices, which starts anew at 1", async () => {
    const team = await Team.make();
    const first = await team.enter(OLGA);
    await first.post("From the first");
    await forgetAll(team);
    await first.again();
    expect(first.wire.last("welcome").lastN).toBe(0);
    const devices = [...team.room().storage.rows.keys()].filter((key) => key.startsWith("d:"));
    expect(devices).toHaveLength(32);
  });

  it("[OP3] what a device had done before it was forgotten isn't done again, over what is newer", async () => {
    const team = await Team.make();
    const first = await team.enter(OLGA);
    await first.op("message.post", { id: "m1", text: "As it was" });
    const edit = first.frame("message.edit", { id: "m1", text: "Older", base: 0 }, 2);
    const reaction = first.frame("message.react", { id: "m1", emoji: "👍", on: true }, 3);
    for (const frame of [edit, reaction]) await first.send(frame);
    const second = await team.enter(OLGA);
    await second.op("message.edit", { id: "m1", text: "Newer", base: 0 });
    await second.op("message.react", { id: "m1", emoji: "👍", on: false });
    await forgetAll(team);
    await forgetAll(team);

    // Its answers were lost: all of it comes again under new numbers, of a device of its own or of the same.
    for (const device of [first.device, "another" as DeviceId]) {
      first.device = device;
      await first.again();
      for (const [at, frame] of [edit, reaction].entries()) {
        const answer = await first.send({ ...frame, n: at + 1 });
        expect(answer).toMatchObject({ t: "ack", rev: null, entities: [{ text: "Newer" }] });
      }
    }
    expect(team.room().storage.rows.get("e:message:m1")).toMatchObject({ text: "Newer", edits: 2 });
  });

  it("[OP3] what says that it may have been done is looked for among all devices, known and forgotten", async () => {
    const team = await Team.make();
    const first = await team.enter(OLGA);
    await first.op("message.post", { id: "m1", text: "As it was" });
    const edit = first.frame("message.edit", { id: "m1", text: "Older", base: 0 });
    await first.send(edit);
    const second = await team.enter(OLGA);
    await second.op("message.edit", { id: "m1", text: "Newer", base: 0 });
    const again = async (): Promise<unknown> => second.send({ ...edit, n: ++second.n, again: true });
    expect(await again()).toMatchObject({ t: "ack", rev: null, entities: [{ text: "Newer" }] });
    for (let device = 1; device < DEVICES_MAX; device += 1) {
      team.town.now += 1_000;
      await (await team.enter(OLGA)).post("From another");
      await second.post("Still here");
    }
    expect(team.room().storage.rows.has(`d:${OLGA}:${first.device}`)).toBe(false);
    expect(await again()).toMatchObject({ t: "ack", rev: null, entities: [{ text: "Newer" }] });
    // Nothing is taken for done that only says so.
    expect(await second.send({ ...edit, n: ++second.n, id: "another", again: true })).toMatchObject({
      t: "ack",
      entities: [{ text: "Older" }],
    });
  });

  it("[OP3] of what was forgotten only so much is remembered, the newest, and nothing that was refused or skipped", () => {
    const ids = Array.from({ length: LEGACY_MAX }, (_, at) => `before ${at}`);
    const device: Device = {
      last: 3,
      at: 0,
      ring: [
        [1, "refused", "invalid"],
        [2, "skipped"],
        [3, "done"],
      ],
      skips: { since: 1, ns: [2] },
    };
    expect(legacyOf(ids, [device])).toEqual([...ids.slice(1), "done"]);
  });
});

/** So many devices of Olga's that all of before are forgotten. */
async function forgetAll(team: Team): Promise<void> {
  for (let device = 0; device < DEVICES_MAX; device += 1) {
    team.town.now += 1_000;
    const other = await team.enter(OLGA);
    await other.post(`From device ${device}`);
  }
}

/** One thing that happens to a message, or to the devices. `unheard`: so many of its last answers were lost. */
type Event =
  | { readonly is: "edit" | "on" | "off"; readonly who: number; readonly which: number }
  | { readonly is: "forget" }
  | { readonly is: "return"; readonly who: number; readonly unheard: number };

const two = fc.nat(1);
const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ is: fc.constantFrom("edit", "on", "off"), who: two, which: two }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant("forget") }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant("return"), who: two, unheard: fc.nat(5) }) },
);

/** A device of Olga's that sends again what it heard no answer to: under the same numbers where those are known. */
class Sender {
  readonly #person: Person;
  /** What it may have to send again: under numbers of which the room knew. */
  #sent: readonly OpFrame[] = [];

  constructor(person: Person) {
    this.#person = person;
  }

  async send(op: string, args: unknown): Promise<void> {
    const frame = this.#person.frame(op, args);
    const answer = await this.#person.send(frame);
    if (outcome(answer) === "out_of_order") {
      // Forgotten while it was there: it hears of it now, and has all answers.
      await this.comeBack(0);
      return this.send(op, args);
    }
    expect(answer.t).toBe("ack");
    this.#person.n = frame.n;
    this.#sent = [...this.#sent, frame];
  }

  async comeBack(unheard: number): Promise<void> {
    const person = this.#person;
    await person.again();
    const isKnown = person.wire.last("welcome").lastN === person.n;
    const again = this.#sent.slice(Math.max(0, this.#sent.length - unheard));
    if (!isKnown) {
      this.#sent = again.map((frame, at) => ({ ...frame, n: at + 1 }));
      person.n = again.length;
    }
    for (const frame of this.#sent.slice(this.#sent.length - again.length))
      expect(outcome(await person.send(frame))).toBe("none");
  }
}

async function change(sender: Sender, message: Expected, is: "edit" | "on" | "off", step: number): Promise<void> {
  const { id } = message;
  if (is === "edit") {
    message.text = `Edited at ${step}`;
    await sender.send("message.edit", { id, text: message.text, base: 0 });
    return;
  }
  message.reactions = is === "on" ? { "👍": [OLGA] } : {};
  await sender.send("message.react", { id, emoji: "👍", on: is === "on" });
}

/** A message as the first of each op's sendings left it. */
interface Expected {
  readonly id: string;
  text: string;
  reactions: Record<string, readonly string[]>;
}

describe("after any history of two devices that are forgotten now and then and lose answers", () => {
  // Thirty histories: 6 s alone, four times as long beside the rest of the suite.
  it("[OP3] each op had its effect once: what was set last stands", { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 10, maxLength: 40 }), async (events) => {
        const team = await Team.make();
        const first = await team.enter(OLGA);
        const expected = ["m0", "m1"].map((id): Expected => ({ id, text: id, reactions: {} }));
        for (const { id, text } of expected) await first.op("message.post", { id, text });
        const senders = [new Sender(first), new Sender(await team.enter(OLGA))];
        for (const [step, one] of events.entries()) {
          team.town.now += 1_000;
          if (one.is === "forget") {
            await forgetAll(team);
            continue;
          }
          const sender = senders[one.who]!;
          if (one.is === "return") await sender.comeBack(one.unheard);
          else await change(sender, expected[one.which]!, one.is, step);
        }
        const stored = expected.map(({ id }) => team.room().storage.rows.get(`e:message:${id}`) as LiveMessage);
        expect(stored.map(({ id, text, reactions = {} }) => ({ id, text, reactions }))).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });
});
