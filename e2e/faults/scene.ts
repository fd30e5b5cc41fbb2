/** What the rows of the fault matrix share: two people at their desks in one channel, and the judge at the end. */
import { randomBytes } from "node:crypto";
import type { Page } from "playwright-core";
import { judge, type Line, type Typed, type Verdict } from "../../scripts/faults/judge.ts";
import { enterAtOnce, heldAfter, linesAfter } from "../../scripts/faults/page.ts";
import { COMPOSER_ID } from "../../web/features/composer/focus.ts";
import { isLive, message, say, tall } from "../journeys/channel.ts";
import { eventually } from "../journeys/eventually.ts";
import { shellIsKept } from "../journeys/network.ts";
import { channelPath, lineOf } from "../journeys/rooms.ts";
import type { Desk, DeskOptions, Stage } from "../journeys/stage.ts";
import { makeTeam, type Person, type Team } from "../rig/people.ts";

/** Silence and back-off at their short end, for what would otherwise be waited for. */
export const HASTY = {
  LINK_TIMING: JSON.stringify({
    heartbeatEveryMs: 4_000,
    heartbeatAnswerMs: 2_500,
    backoffMinMs: 50,
    backoffMaxMs: 1_000,
  }),
};

/**
 * Letters of which three in four stay, on the line and on disk: what repeats itself a WebSocket and a database squeeze to
 * next to nothing.
 */
export function noise(letters: number): string {
  return randomBytes(letters).toString("base64url").slice(0, letters);
}

/** Reading ten thousand messages afresh takes seconds, each time. */
const ENDS_WELL_WITHIN_MS = 90_000;

export interface SceneOptions {
  /** More about Ana's desk. */
  readonly ana?: DeskOptions;
  readonly bo?: DeskOptions;
  /** Before either page is opened. */
  readonly prepare?: (desks: readonly [Desk, Desk]) => Promise<void>;
}

export class Scene {
  readonly team: Team;
  readonly ana: Desk;
  readonly bo: Desk;
  readonly path: string;
  readonly #typed: Typed[] = [];
  readonly #others: Person[] = [];
  /** Name → user id. */
  readonly #users = new Map<string, string>();

  private constructor(team: Team, ana: Desk, bo: Desk) {
    this.team = team;
    this.ana = ana;
    this.bo = bo;
    this.path = channelPath(team);
  }

  static async open(stage: Stage, options: SceneOptions = {}): Promise<Scene> {
    const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
    const [first, second] = team.people;
    const [ana, bo] = await Promise.all([
      stage.desk({ person: first!, ...options.ana }),
      stage.desk({ person: second!, ...options.bo }),
    ]);
    await options.prepare?.([ana, bo]);
    const scene = new Scene(team, ana, bo);
    await Promise.all([ana.go(scene.path), bo.go(scene.path)]);
    await Promise.all([isLive(ana.page), isLive(bo.page)]);
    await Promise.all([tall(ana.page), tall(bo.page)]);
    return scene;
  }

  /** Types it and presses Enter; from then on it counts. */
  async say(page: Page, text: string, author = page.context() === this.ana.context ? "Ana" : "Bo"): Promise<void> {
    await say(page, text);
    this.#typed.push({ author, text });
  }

  /** Bo says something that Ana has from then on, and her app opens without a network. */
  async anaHolds(text: string): Promise<void> {
    await this.say(this.bo.page, text);
    await message(this.ana.page, text).waitFor();
    await shellIsKept(this.ana.page);
  }

  /** Types and enters in one go, as no person could: for what must happen at the same moment. */
  async enter(page: Page, texts: readonly string[], author = "Ana"): Promise<void> {
    await page.evaluate(enterAtOnce, { composer: COMPOSER_ID, texts });
    this.wrote(author, texts);
  }

  /** What was accepted otherwise: by a program, or in a tab that is gone. `person`: somebody beside Ana and Bo. */
  wrote(author: string, texts: readonly string[], person?: Person): void {
    if (person !== undefined) this.#others.push(person);
    this.#typed.push(...texts.map((text) => ({ author, text })));
  }

  /** Not shown as sent: for as long as no answer can have come ([I4]). */
  async isWaiting(page: Page, text: string): Promise<void> {
    await eventually(() => message(page, text).last().getAttribute("data-delivery")).toMatch(/^(queued|sending)$/);
  }

  async verdict(pages: readonly Page[]): Promise<Verdict> {
    const all = await lineOf(this.team).history(this.team.general);
    const room = all.flatMap((each) =>
      each.deleted || each.system ? [] : [{ seq: each.seq, id: each.id, author: each.author, text: each.text }],
    );
    const beside = new Set(all.filter((each) => each.deleted || each.system).map(({ id }) => id as string));
    const people = [...this.team.people, ...this.#others];
    if (this.#users.size < people.length) {
      const all = await Promise.all(people.map((person) => person.me()));
      for (const { user } of all) this.#users.set(user.name, user.id);
    }
    const name = `channel:${this.team.workspace.id}_${this.team.general}`;
    const members = await Promise.all(
      pages.map(async (page, at) => {
        const { held, left } = await page.evaluate(heldAfter, { room: name, after: 0 });
        // Where something was deleted a line says so.
        const screen = (await page.evaluate(linesAfter, 0)).filter(({ id }) => !beside.has(id));
        return {
          name: `page ${at + 1}`,
          screen: asWhole(screen, room),
          held: held.filter(({ id }) => !beside.has(id)),
          left,
        };
      }),
    );
    return judge({ typed: this.#typed, users: this.#users, room, members, refused: [], early: [] });
  }

  /** What the judge finds where several tabs of one person wrote at once: no order between them was ever promised. */
  async inAnyOrder(pages: readonly Page[]): Promise<string[]> {
    return (await this.verdict(pages)).findings.filter((finding) => !finding.startsWith("out of order"));
  }

  /**
   * [I1] each once, [I2] each author's in order, [I3] alike on every screen and device, [I5] with nobody doing anything,
   * [I6] and nothing readable gone.
   */
  async endsWell(pages: readonly Page[] = [this.ana.page, this.bo.page]): Promise<void> {
    // In one: a person may ask a room for so many pages a second, and reading all of it twice in a row may be more.
    await eventually(async () => {
      const { findings, messages } = await this.verdict(pages);
      return { findings, messages };
    }, ENDS_WELL_WITHIN_MS).toEqual({ findings: [], messages: this.#typed.length });
  }
}

/** A screen shows the newest part of a long channel: as far as it does, it has to be the room's own end. */
function asWhole(screen: readonly Line[], room: readonly { readonly seq: number; readonly id: string }[]): Line[] {
  const end = room.slice(-screen.length);
  const isEnd = screen.length > 0 && screen.every(({ id, seq }, at) => id === end[at]?.id && seq === end[at].seq);
  if (!isEnd || screen.some(({ delivery }) => delivery !== "sent")) return [...screen];
  return room.map(({ seq, id }) => ({ seq, id, text: "", delivery: "sent" }));
}
