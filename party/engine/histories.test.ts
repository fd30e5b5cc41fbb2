import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Entity } from "#protocol/entities/entity.ts";
import type { LiveMessage } from "#protocol/entities/message.ts";
import type { OpFrame } from "#protocol/frames/op.ts";
import { OLGA, outcome, Team, type Person } from "../test/people.ts";
import { Replica } from "../test/replica.ts";
import { keyOf } from "./keys.ts";

/** One thing that happens. Numbers pick who and which message. */
type Event =
  | { readonly is: "post" | "reply" | "edit" | "delete" | "react"; readonly who: number; readonly which: number }
  | { readonly is: "drop" | "sleep" | "crash" | "fault" | "resend" | "wait"; readonly who: number };

const event = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      is: fc.constantFrom("post", "reply", "edit", "delete", "react"),
      who: fc.nat(2),
      which: fc.nat(9),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ is: fc.constantFrom("drop", "sleep", "crash", "fault", "resend", "wait"), who: fc.nat(2) }),
  },
) as fc.Arbitrary<Event>;

/** A person with a replica, who sends again what wasn't answered. */
class Sender {
  readonly person: Person;
  readonly replica = new Replica();
  readonly sent: OpFrame[] = [];
  #taken = 0;

  constructor(person: Person) {
    this.person = person;
  }

  /** Takes what came; pulls until nothing is missing; comes back if the connection went. */
  async catchUp(): Promise<void> {
    if (this.person.wire.closed) await this.comeBack();
    for (;;) {
      const { frames } = this.person.wire;
      for (; this.#taken < frames.length; this.#taken += 1) {
        const frame = frames[this.#taken];
        if (frame) this.replica.take(frame);
      }
      if (this.replica.pullFrom === null) return;
      await this.person.wire.say({ t: "pull", since: this.replica.pullFrom });
    }
  }

  async comeBack(): Promise<void> {
    this.#taken = 0;
    await this.person.again({
      since: this.replica.cursor,
      ...(this.replica.epoch ? { epoch: this.replica.epoch } : {}),
    });
    const { lastN } = this.person.wire.last("welcome");
    for (const frame of this.sent.slice(lastN)) await this.person.wire.say(frame);
  }

  /** Sends until there is an answer that isn't held. */
  async send(frame: OpFrame): Promise<void> {
    this.sent.push(frame);
    for (let tries = 0; tries < 5; tries += 1) {
      if (this.person.wire.closed) await this.comeBack();
      else await this.person.wire.say(frame);
      const answers = this.person.wire.frames.filter(
        (one) => (one.t === "ack" || one.t === "refuse") && one.n === frame.n,
      );
      const last = answers.at(-1);
      if (last && !(last.t === "refuse" && last.held)) return;
      this.person.team.town.now += 1_000;
    }
    throw new Error(`Op ${frame.n} was never answered`);
  }
}

const IDS = Array.from({ length: 10 }, (_, index) => `m${index}`);

function argsOf({ is, who, which }: Extract<Event, { which: number }>, step: number): [string, unknown] {
  const id = IDS[which];
  if (is === "post") return ["message.post", { id: `p${step}`, text: `Post ${step} of ${who}` }];
  if (is === "reply") return ["message.post", { id: `r${step}`, text: `Reply ${step}`, root: id }];
  if (is === "edit") return ["message.edit", { id, text: `Edited at ${step}`, base: 0 }];
  if (is === "delete") return ["message.delete", { id }];
  return ["message.react", { id, emoji: ["👍", "🎉"][which % 2], on: step % 3 !== 0 }];
}

async function live(events: readonly Event[]): Promise<{ team: Team; senders: readonly Sender[] }> {
  const team = await Team.make();
  const names = [OLGA, await team.invite("mara"), await team.invite("lars")];
  const senders = await Promise.all(names.map(async (name) => new Sender(await team.enter(name))));
  const [first] = senders;
  for (const [index, id] of IDS.entries()) {
    if (first) await first.send(first.person.frame("message.post", { id, text: `First ${index}` }, index + 1));
  }
  for (const [step, one] of events.entries()) {
    const sender = senders[one.who];
    if (sender) await happen(team, sender, one, step);
    await sender?.catchUp();
  }
  await team.town.pass(60_000);
  for (const sender of senders) await sender.catchUp();
  return { team, senders };
}

async function happen(team: Team, sender: Sender, one: Event, step: number): Promise<void> {
  team.town.now += 60;
  const site = team.room();
  if (one.is === "drop") sender.person.wire.drop();
  else if (one.is === "sleep") {
    // A room with timers running doesn't hibernate.
    await team.town.pass(10_000);
    site.sleep();
  } else if (one.is === "crash") site.crash();
  else if (one.is === "wait") await team.town.pass(6_000);
  else if (one.is === "fault") {
    let failures = 1;
    site.storage.fault = () => {
      if (failures-- > 0) throw new Error("The disk is full");
    };
  } else if (one.is === "resend") {
    for (const frame of sender.sent.slice(-3).toReversed())
      if (!sender.person.wire.closed) await sender.person.wire.say(frame);
  } else if ("which" in one) {
    const [op, args] = argsOf(one, step);
    await sender.send(sender.person.frame(op, args, sender.sent.length + 1));
  }
}

function storedIn(team: Team): Entity[] {
  const rows = [...team.room().storage.rows].filter(([key]) => key.startsWith("e:"));
  return rows.map(([, row]) => row as Entity).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

describe("after any history, with drops, crashes, sleep, failed writes and ops sent again out of turn", () => {
  it("[OP8] all replicas equal the room, each op had its effect once, and each device's order was kept", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 5, maxLength: 60 }), async (events) => {
        const { team, senders } = await live(events);
        const stored = storedIn(team);
        for (const { replica } of senders) expect(replica.contents).toEqual(stored);
        const messages = stored.filter((entity) => entity.kind === "message").toSorted((a, b) => a.seq - b.seq);
        expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, index) => index + 1));
        for (const { sent, person } of senders) {
          const posts = sent.filter(({ op }) => op === "message.post").map(({ args }) => (args as LiveMessage).id);
          const placed = messages
            .filter(({ id, author }) => author === person.user && posts.includes(id))
            .map(({ id }) => id);
          expect(placed).toEqual(posts.filter((id) => placed.includes(id)));
          expect(new Set(placed).size).toBe(placed.length);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("[SY1] catching up from any rev equals the whole", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 5, maxLength: 60 }), fc.nat(70), async (events, back) => {
        const { team } = await live(events);
        const stored = storedIn(team);
        const head = (team.room().storage.rows.get("s") as { head: number }).head;
        const since = Math.max(0, head - back);
        const token = await team.token(OLGA, team.channel());
        const page = (await team.room().http("GET", `changes?since=${since}`, token)) as {
          entities: Entity[];
          to: number;
        };
        const expected = stored.filter(({ rev }) => rev > since);
        const found = page.entities.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
        expect(page.to).toBe(head);
        const isBuried = (entity: Entity): boolean => since === 0 && "deleted" in entity && entity.deleted;
        expect(found).toEqual(expected.filter((entity) => !isBuried(entity)));
      }),
      { numRuns: 40 },
    );
  });

  it("the harness fails where numbers aren't looked at: an op of a new id sent twice has two effects", async () => {
    const team = await Team.make();
    const olga = await team.enter(OLGA);
    expect(outcome(await olga.post("Twice"))).toBe("ack");
    expect(outcome(await olga.post("Twice"))).toBe("ack");
    expect(storedIn(team).filter((entity) => "text" in entity && entity.text === "Twice")).toHaveLength(2);
  });
});
