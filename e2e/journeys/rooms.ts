/** The rooms without a browser: the truth to compare a screen with, and a quick way to fill a channel. */
import { setTimeout as pause } from "node:timers/promises";
import * as v from "valibot";
import { uuidv7 } from "uuidv7";
import { authResponse, opsResponse, problem, type OpsResponse } from "#protocol/http.ts";
import { history } from "#protocol/frames/history.ts";
import type { Message, SystemLine } from "#protocol/entities/message.ts";
import type { AnyOp } from "#protocol/ops/all.ts";
import { OPS_IN_FLIGHT_MAX, PAST_ANY_PLACE } from "#protocol/limits.ts";
import type { Person, Team } from "../rig/people.ts";

const LOOKS_EVERY_MS = 50;

/** One person's way into the rooms of a workspace over HTTP (protocol, section 8), as a device of its own. */
export class Line {
  readonly person: Person;
  readonly #workspace: string;
  readonly #device = uuidv7();
  readonly #tokens = new Map<string, string>();
  readonly #numbers = new Map<string, number>();

  constructor(person: Person, workspace: string) {
    this.person = person;
    this.#workspace = workspace;
  }

  /** The messages of a channel after a place, in order; all of them, if none is named. */
  async history(channel: string, after = 0): Promise<Message[]> {
    let all: Message[] = [];
    for (let before = PAST_ANY_PLACE; ; before = all[0]!.seq) {
      const answer = await this.#call(
        "GET",
        `channel:${this.#workspace}_${channel}`,
        `history?before=${before}&limit=100`,
      );
      const page = v.parse(history, answer);
      all = [...page.messages.filter(({ seq }) => seq > after), ...all];
      if (!page.more || (page.messages[0]?.seq ?? 0) <= after + 1) return all;
    }
  }

  /** What people wrote in a channel and what stands of it, in order. */
  async texts(channel: string): Promise<string[]> {
    return (await this.history(channel)).flatMap((each) => (each.deleted || each.system ? [] : [each.text]));
  }

  async post(channel: string, texts: readonly string[]): Promise<string[]> {
    const ops = texts.map((text) => ({ op: "message.post" as const, args: { id: uuidv7(), text } }));
    const answers = await this.#send(`channel:${this.#workspace}_${channel}`, ops);
    const refused = answers.find(({ t }) => t === "refuse");
    if (refused) throw new Error(`Refused: ${JSON.stringify(refused)}`);
    return ops.map(({ args }) => args.id);
  }

  /** Ops of the workspace room; answers in the same order, refusals too. */
  change(...ops: readonly { readonly op: AnyOp["op"]; readonly args: unknown }[]): Promise<OpsResponse["results"]> {
    return this.#send(`workspace:${this.#workspace}`, ops);
  }

  /** Until its own room has heard of it, too, which is after the answer: what is posted there before that is still taken. */
  async archive(channel: string, on = true): Promise<void> {
    await this.#done({ op: "channel.archive", args: { id: channel, on } });
    await this.#hears(channel, (system) => system.type === "archived" && system.on === on);
  }

  /** The same with somebody who mustn't be there any more. */
  async remove(channel: string, user: string): Promise<void> {
    await this.#done({ op: "channel.members", args: { id: channel, add: [], remove: [user] } });
    await this.#hears(channel, (system) => system.type === "left" && system.user === user);
  }

  /** One that was refused would be waited for without end. */
  async #done(op: { readonly op: AnyOp["op"]; readonly args: unknown }): Promise<void> {
    const [answer] = await this.change(op);
    if (answer?.t !== "ack") throw new Error(`${op.op}: ${JSON.stringify(answer)}`);
  }

  /** The room's own line of what it was told last stands in it. */
  async #hears(channel: string, isSo: (system: SystemLine) => boolean): Promise<void> {
    for (;;) {
      const lines = (await this.history(channel)).flatMap((each) =>
        each.deleted || !each.system ? [] : [each.system],
      );
      if (lines.length > 0 && isSo(lines.at(-1)!)) return;
      await pause(LOOKS_EVERY_MS);
    }
  }

  inChannel(
    channel: string,
    ...ops: readonly { readonly op: AnyOp["op"]; readonly args: unknown }[]
  ): Promise<OpsResponse["results"]> {
    return this.#send(`channel:${this.#workspace}_${channel}`, ops);
  }

  async createChannel(name: string, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const id = uuidv7();
    const [answer] = await this.change({ op: "channel.create", args: { id, access: "public", name, ...more } });
    if (answer?.t !== "ack") throw new Error(`#${name}: ${JSON.stringify(answer)}`);
    return id;
  }

  async #send(
    room: string,
    ops: readonly { readonly op: string; readonly args: unknown }[],
  ): Promise<OpsResponse["results"]> {
    const results: OpsResponse["results"] = [];
    const next = this.#numbers.get(room) ?? 1;
    const numbered = ops.map((op, at) => ({ t: "op", n: next + at, id: uuidv7(), ...op, at: Date.now() }));
    while (results.length < numbered.length) {
      const batch = numbered.slice(results.length, results.length + OPS_IN_FLIGHT_MAX);
      const answer = v.parse(opsResponse, await this.#call("POST", room, "ops", { device: this.#device, ops: batch }));
      const held = answer.results.findIndex((result) => result.t === "refuse" && result.held);
      results.push(...(held < 0 ? answer.results : answer.results.slice(0, held)));
      const refusal = answer.results[held];
      if (refusal?.t === "refuse") await pause(1_000 * (refusal.retryAfter ?? 1));
    }
    this.#numbers.set(room, next + ops.length);
    return results;
  }

  async #call(method: string, room: string, action: string, body?: unknown): Promise<unknown> {
    const [party, id] = room.split(":");
    const ask = async (): Promise<Response> =>
      fetch(new URL(`/parties/${party}/${id}/${action}`, this.person.url), {
        method,
        headers: { authorization: `Bearer ${await this.#token(room)}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    let response = await ask();
    if (response.status === 401 && this.#tokens.delete(room)) response = await ask();
    // Of a long channel a fast machine reads more at once than a person may.
    while (response.status === 429) {
      const { retryAfter = 1 } = v.parse(problem, await response.json());
      await pause(1_000 * retryAfter);
      response = await ask();
    }
    if (!response.ok) throw new Error(`${method} ${room} ${action}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  async #token(room: string): Promise<string> {
    const known = this.#tokens.get(room);
    if (known !== undefined) return known;
    const { token } = v.parse(
      authResponse,
      await this.person.post("/api/rooms/auth", { room, reason: "connect", v: 1 }),
    );
    this.#tokens.set(room, token);
    return token;
  }
}

const lines = new WeakMap<Team, Map<number, Line>>();

/**
 * The way in of one of the team, the same one each time: a session gets so many tokens a minute, and the browser that
 * it was carried into needs some of them, however often a test looks into a room.
 */
export function lineOf(team: Team, at = 0): Line {
  const known = lines.get(team) ?? new Map<number, Line>();
  lines.set(team, known);
  const line = known.get(at) ?? new Line(team.people[at]!, team.workspace.id);
  known.set(at, line);
  return line;
}

export const channelPath = (team: Team, channel = team.general): string => `/w/${team.workspace.slug}/c/${channel}`;
