/** Plays a plan: the people write, whatever the network does; what breaks is set going and looks after itself. */
import { setTimeout as after } from "node:timers/promises";
import type { ChannelId } from "#protocol/ids.ts";
import type { Crew } from "./crew.ts";
import type { Diary } from "./diary.ts";
import { withMention } from "./lines.ts";
import { must, type Person } from "./person.ts";
import type { Step } from "./plan.ts";

export type React = Extract<Step, { do: "react" }>;

export interface Stage {
  readonly crew: Crew;
  readonly plan: readonly Step[];
  readonly diary: Diary;
  /** Posts a second. */
  readonly pace: number;
  /** Kills the server and starts it again. */
  readonly kill: () => void;
}

/** Resolves when everything is written; it need not have been delivered. Answers what could not be done yet. */
export async function act(stage: Stage): Promise<readonly React[]> {
  const { crew, plan, diary, pace, kill } = stage;
  const posts = plan.filter((step) => step.do === "post");
  const names = new Set(crew.people.map(({ name }) => name));
  const later: React[] = [];
  const begun = performance.now();
  const authorOf = (key: number): { who: Person; channel: ChannelId } => {
    const { person, channel } = posts[key]!;
    return { who: crew.people[person]!, channel: crew.channels[channel]! };
  };

  for (const step of plan) {
    switch (step.do) {
      case "post": {
        await after(Math.max(0, begun + (step.key * 1_000) / pace - performance.now()));
        const { who, channel } = authorOf(step.key);
        const text = withMention(step.text, names);
        const root = step.root === null ? undefined : diary.idOf(step.root);
        // One answers what one has seen.
        const isSeen = root !== undefined && (await who.replica.holds(channel, root));
        const posted = await who.workspace.commands.post(channel, text, isSeen ? root : undefined);
        diary.posted(step.key, { id: must(`${who.name} posts`, posted), channel, author: who.user, text });
        break;
      }
      case "edit": {
        const { who, channel } = authorOf(step.key);
        const text = withMention(step.text, names);
        must(`${who.name} edits`, await who.workspace.commands.edit(channel, diary.idOf(step.key), text));
        diary.edited(step.key, text);
        break;
      }
      case "remove": {
        const { who, channel } = authorOf(step.key);
        must(`${who.name} removes`, await who.workspace.commands.remove(channel, diary.idOf(step.key)));
        diary.removed(step.key);
        break;
      }
      case "react": {
        const isBehind = later.some(({ key, person }) => key === step.key && person === step.person);
        if (isBehind || !(await tryReact(stage, step))) later.push(step);
        break;
      }
      case "cut":
        crew.lines[step.person]?.breakAs(step);
        break;
      case "kill":
        kill();
        break;
    }
  }
  return later;
}

/** One can only mark what has reached one: false where it hasn't. */
export async function tryReact({ crew, diary }: Pick<Stage, "crew" | "diary">, step: React): Promise<boolean> {
  const who = crew.people[step.person]!;
  const { id, channel } = diary.placeOf(step.key);
  if (!(await who.replica.holds(channel, id))) return false;
  must(`${who.name} reacts`, await who.workspace.commands.react(channel, id, step.emoji, step.on));
  diary.reacted(step.key, `${step.emoji} by ${who.user}`, step.on);
  return true;
}
