// Where one was last, on this device: what `/` and a workspace's own address lead to.
import type { ChannelId } from "#protocol/ids.ts";
import { here, keep, kept } from "../features/kept.ts";

const WORKSPACE = "causeway.last-workspace";
const channelKey = (slug: string): string => `causeway.last-channel.${slug}`;

export function lastWorkspace(): string | null {
  return kept(here, WORKSPACE);
}

/** Where it is still one's own is for the caller to see. */
export function lastChannel(slug: string): string | null {
  return kept(here, channelKey(slug));
}

export function rememberPlace(slug: string, channel: ChannelId | null): void {
  keep(here, WORKSPACE, slug);
  if (channel !== null) keep(here, channelKey(slug), channel);
}
