// The session of a device at the edge: it ends, and the rooms are told; another begins.
import type { Device } from "./device.ts";
import type { World } from "./world.ts";

/** Who finds themself signed out looks so long before they sign in again, and so often. */
const COMES_BACK_AFTER_MS = 5_000;
const TRIES = 4;

export function endSession(world: World, device: Device): void {
  device.session = { ...device.session, isOn: false };
  const { sid } = device.session;
  const denial = { sid, at: Math.floor(world.loop.now / 1_000), code: "unauthenticated" as const };
  void world.rooms
    .at(world.team)
    .call("POST", "deny", denial)
    .catch(() => undefined);
}

export function signIn(world: World, device: Device): void {
  device.session = { sid: `s-${device.name}-${world.newId().slice(-4)}`, isOn: true };
  world.trace(`${device.name} signs in`);
  for (const tab of device.tabs) {
    // On a full disk it may not be stored; the next one tries again.
    tab.client?.account.refresh().catch(() => undefined);
    tab.rig.happen("focus");
  }
}

/** From now on everybody signs in who finds themself signed out. */
export function comeBack(world: World, tries = new Map<Device, number>()): void {
  for (const device of world.devices) {
    // A sign-out that hung gets through after all; and one in whose midst the person signed in elsewhere ends here.
    const isOut = device.tabs.every(({ client }) => client?.account.session.snapshot().state === "nobody");
    const tried = tries.get(device) ?? 0;
    if ((device.session.isOn && !isOut) || tried === TRIES) continue;
    tries.set(device, tried + 1);
    signIn(world, device);
  }
  world.loop.later(COMES_BACK_AFTER_MS, () => comeBack(world, tries));
}
