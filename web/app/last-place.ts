// Where one was last, on this device: what `/` and a workspace's own address lead to.
import type { ChannelId } from "#protocol/ids.ts";

const WORKSPACE = "causeway.last-workspace";
const channelKey = (slug: string): string => `causeway.last-channel.${slug}`;

/** A browser that keeps nothing has no last place; that is all there is to it. */
function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // As above.
  }
}

export function lastWorkspace(): string | null {
  return read(WORKSPACE);
}

/** Where it is still one's own is for the caller to see. */
export function lastChannel(slug: string): string | null {
  return read(channelKey(slug));
}

export function rememberPlace(slug: string, channel: ChannelId | null): void {
  write(WORKSPACE, slug);
  if (channel !== null) write(channelKey(slug), channel);
}
