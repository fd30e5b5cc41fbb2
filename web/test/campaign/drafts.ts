// A draft that stands on several devices of a person is sent from some of them, of which one may have no network; now and
// then once more on the same, or erased there and begun anew in the same words.
import type { ChannelId } from "#protocol/ids.ts";
import { DRAFT_EVERY_MS } from "#protocol/limits.ts";
import type { Seeded } from "../sim/seeded.ts";
import type { Tab } from "./device.ts";
import { draftKey } from "./ledger.ts";
import { act, post, type Scene } from "./scene.ts";
import type { World } from "./world.ts";

/** By then it stands on the others, where the lines are good. */
const KNOWN_AFTER_MS = DRAFT_EVERY_MS + 2_000;
const CUT_WITHIN_MS = 1_500;
const SENT_WITHIN_MS = 10_000;
const BACK_WITHIN_MS = 20_000;
const LOOKS_MS = 200;

export function draftEverywhere(world: World, random: Seeded, step: number): void {
  const open = world.tabs.filter(({ workspace, isHung }) => workspace !== null && !isHung);
  if (open.length === 0) return;
  const writer = random.pick(open);
  const { user } = writer.device;
  const channel = random.chance(0.7) || writer.channel === null ? world.general : writer.channel;
  const first = sceneOf(writer, random);
  if (first === null) return;
  world.ledger.count("drafts everywhere");
  world.ledger.unsure.add(draftKey(channel, user));
  act(first, "draft", [], first.commands.setDraft(channel, `draft of ${user}!${step}`));
  for (const device of world.devices.filter((each) => each.user === user)) {
    if (random.chance(0.6)) {
      const backMs = KNOWN_AFTER_MS + CUT_WITHIN_MS + random.below(BACK_WITHIN_MS);
      world.loop.later(KNOWN_AFTER_MS + random.below(CUT_WITHIN_MS), () => {
        if (!world.isOver) device.line.set("down");
      });
      world.loop.later(backMs, () => device.line.restore());
    }
    const how = { channel, isTwice: random.chance(0.25), isCorrected: random.chance(0.15), isAnew: random.chance(0.2) };
    const sendsMs = KNOWN_AFTER_MS + CUT_WITHIN_MS + random.below(SENT_WITHIN_MS);
    if (!random.chance(0.8)) continue;
    world.loop.later(sendsMs, () => {
      const tab = device.tabs.find(({ workspace, isHung, isAlive }) => workspace !== null && !isHung && isAlive);
      if (tab !== undefined) send(tab, random, how);
    });
  }
}

interface Sending {
  readonly channel: ChannelId;
  /** The same words are written anew, and sent. */
  readonly isTwice: boolean;
  readonly isCorrected: boolean;
  /** Erased first, and typed again. */
  readonly isAnew: boolean;
}

/** What stands there by then; looked at for a moment before, as a composer does. */
function send(tab: Tab, random: Seeded, { channel, isTwice, isCorrected, isAnew }: Sending): void {
  const { world } = tab.device;
  const view = tab.workspace?.draft(channel);
  const stop = view?.subscribe(() => undefined);
  world.loop.later(LOOKS_MS, () => {
    const now = view?.snapshot();
    stop?.();
    const scene = sceneOf(tab, random);
    if (scene === null || now?.state !== "ready" || now.value === "") return;
    const text = now.value;
    const says = (): void => {
      world.ledger.count("drafts posted");
      post(scene, channel, text, undefined, isCorrected ? `${text} corrected` : undefined);
      if (!isTwice) return;
      act(scene, "draft", [], scene.commands.setDraft(channel, text));
      post(scene, channel, text);
    };
    if (isAnew) beginAnew(scene, channel, text, says);
    else says();
  });
}

/** Another draft, though it say the same. */
function beginAnew(scene: Scene, channel: ChannelId, text: string, then: () => void): void {
  const { commands, world, tab } = scene;
  act(scene, "draft", [], commands.setDraft(channel, ""), () => {
    act(scene, "draft", [], commands.setDraft(channel, text), () => {
      world.ledger.begunAnew.add(`${tab.device.name} ${text}`);
      world.ledger.count("drafts begun anew");
      then();
    });
  });
}

function sceneOf(tab: Tab, random: Seeded): Scene | null {
  const { world } = tab.device;
  const { workspace, isHung, isAlive } = tab;
  if (workspace === null || isHung || !isAlive || world.isOver) return null;
  return { world, tab, random, commands: workspace.commands, serial: "" };
}
