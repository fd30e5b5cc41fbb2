/** One episode from its first word to the judge. */
import { setTimeout as after } from "node:timers/promises";
import { isClean, judge, type Evidence, type Typed, type Verdict } from "./judge.ts";
import { tagOf } from "./desk.ts";
import { planOf, type Plan, type Step } from "./plan.ts";
import type { Control, Crew, World } from "./world.ts";

/** A lost link, a token and a restarted server, one after the other on a loaded machine. */
const SETTLED_WITHIN_MS = 120_000;
/** The controls never get there, and needn't be waited for. */
const CONTROL_WITHIN_MS = 2_500;

/** What was said is on one's own screen within milliseconds, or not at all; a loaded machine takes longer. */
const SHOWN_WITHIN_MS = 5_000;

/** An episode that hangs has failed. */
const PLAYED_WITHIN_MS = 300_000;

export interface Episode {
  readonly seed: number;
  readonly plan: Plan;
  readonly verdict: Verdict;
}

export interface EpisodeOptions {
  readonly seed: number;
  readonly isKilled: boolean;
  readonly control: Control;
}

/** Throws where the episode could not be played to its end, which counts as a failure too. */
export async function runEpisode(world: World, options: EpisodeOptions): Promise<Episode> {
  const crew = await world.crew(options);
  try {
    const plan = planOf(options.seed, { people: crew.desks.length, isKilled: options.isKilled });
    // A client that forgets has to be found by what it does to messages.
    const steps = plan.steps.filter((step) => options.control === null || (step.do !== "edit" && step.do !== "delete"));
    const withinMs = options.control === null ? SETTLED_WITHIN_MS : CONTROL_WITHIN_MS;
    const verdict = judge(await within(PLAYED_WITHIN_MS, play(world, crew, steps, withinMs)));
    // What one episode left behind is not to be found again by the next.
    if (!isClean(verdict)) await world.drop(crew);
    return { seed: options.seed, plan, verdict };
  } catch (error) {
    await world.drop(crew);
    throw error;
  }
}

async function play(world: World, crew: Crew, steps: Plan["steps"], withinMs: number): Promise<Evidence> {
  const { desks, users } = crew;
  const typed: Typed[] = [];
  const refused: string[] = [];
  let edited = 0;
  const deleted: string[] = [];
  const ofDesk = (who: number): Typed[] => typed.filter(({ author }) => author === desks[who]!.name);

  /** The one so many before their newest, where it is on their screen; deleted where nothing is said instead. */
  const change = async (who: number, back: number, saying: string | null): Promise<void> => {
    const desk = desks[who]!;
    const old = ofDesk(who).at(-1 - back);
    if (old === undefined || (await desk.shows([old], "shown", SHOWN_WITHIN_MS)).length > 0) return;
    // Another tag than before: whatever looks for this text finds no other.
    const text = saying === null ? null : `${tagOf(old.text)}e ${saying}`;
    if (!(await desk.change(old.text, text))) return;
    // From here on it counts, whatever the screen says; what must be on disk before something else happens is waited for there.
    if (text === null) {
      typed.splice(typed.indexOf(old), 1);
      deleted.push(old.text);
    } else {
      typed[typed.indexOf(old)] = { ...old, text };
      edited += 1;
    }
  };
  const act = async (step: Step): Promise<void> => {
    switch (step.do) {
      case "say": {
        const desk = desks[step.who]!;
        const left = await desk.say(step.texts, step.isByKeyboard, ofDesk(step.who));
        refused.push(...left);
        typed.push(...step.texts.filter((text) => !left.includes(text)).map((text) => ({ author: desk.name, text })));
        return;
      }
      case "edit":
        return change(step.who, step.back, step.saying);
      case "delete":
        return change(step.who, step.back, null);
      case "break":
        return desks[step.who]!.break(step.fault);
      case "mend":
        return desks[step.who]!.mend(step.isTold);
      case "pause":
        return after(step.ms);
      case "reload":
        refused.push(...(await desks[step.who]!.reload(ofDesk(step.who))));
        return;
      case "crash":
      case "second-tab": {
        // What was entered this very moment may die with the tab; all that is on the screen may not.
        await desks[step.who]!.shows(ofDesk(step.who).slice(-5), "shown", withinMs);
        if (step.do === "second-tab") return desks[step.who]!.moveToSecondTab();
        refused.push(...(await desks[step.who]!.crash(ofDesk(step.who))));
        return;
      }
      case "kill":
        return desks[step.who]!.kill(ofDesk(step.who));
      case "restart":
        return world.app.restart();
    }
  };
  for (const step of steps) await act(step);

  for (const [who, desk] of desks.entries()) {
    await desk.mend(true);
    refused.push(...(await desk.finish(ofDesk(who))));
  }
  await Promise.all(desks.map((desk, who) => desk.shows(ofDesk(who), "sent", withinMs)));
  // Edits and deletions are shown before they are sent.
  await Promise.all(desks.map((desk) => desk.member(crew.room(), crew.top, withinMs)));
  const history = await crew.line.history(crew.channel, crew.top);
  const room = history.map((message) => {
    const { seq, id, author } = message;
    return message.deleted ? { seq, id, author, text: "", isDeleted: true } : { seq, id, author, text: message.text };
  });
  const places = room.map(({ seq, id }) => `${seq} ${id} sent`);
  await Promise.all(desks.map((desk) => desk.alike(crew.top, places, withinMs)));
  const members = await Promise.all(
    desks.map(async (desk) => ({
      ...(await desk.member(crew.room(), crew.top, withinMs)),
      unshown: await desk.shows(typed, "shown", SHOWN_WITHIN_MS),
    })),
  );
  crew.top = history.at(-1)?.seq ?? crew.top;
  return {
    typed,
    edited,
    deleted,
    users,
    room,
    members,
    refused,
    early: desks.flatMap(({ early }) => early.splice(0)),
  };
}

async function within<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  const stop = new AbortController();
  const late = after(ms, undefined, { signal: stop.signal }).then(() => {
    throw new Error(`Not played to its end within ${ms / 1_000} s`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    stop.abort();
    late.catch(() => undefined);
  }
}
