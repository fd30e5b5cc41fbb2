// Two devices of one person, and what their composers show.
import { DRAFT_EVERY_MS } from "#protocol/limits.ts";
import { isLive, OLGA, scene } from "./scene.ts";
import { GENERAL, type Device, type Tab, type World } from "./world.ts";

export interface Two {
  readonly world: World;
  readonly laptop: Tab;
  readonly phone: Tab;
  /** The laptop's. */
  readonly device: Device;
  readonly phoneDevice: Device;
}

export async function twoDevices(): Promise<Two> {
  const { world, olga: laptop, device } = await scene();
  const phoneDevice = await world.device(OLGA, "phone");
  const phone = await world.during(phoneDevice.open());
  await world.until("live", () => isLive(phone));
  return { world, laptop, phone, device, phoneDevice };
}

/** What the composer of the channel shows. */
export function drafted({ workspace }: Tab, channel = GENERAL): () => string | null {
  const view = workspace.draft(channel);
  view.subscribe(() => undefined);
  return () => {
    const now = view.snapshot();
    return now.state === "ready" ? now.value : null;
  };
}

/** A draft is held back a while, for the next one may replace it. */
export const leaves = (world: World): Promise<void> => world.pass(2 * DRAFT_EVERY_MS, 500);
