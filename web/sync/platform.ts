// The platform's own bus and timers, which are the same in a page and in the service worker.
import type { Bus } from "../store/store.ts";
import type { Timers } from "./ports.ts";

export function broadcastBus(name: string): Bus {
  const channel = new BroadcastChannel(name);
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
    send: (message) => channel.postMessage(message),
    listen: (listener) => {
      const hear = (event: MessageEvent): void => listener(event.data);
      channel.addEventListener("message", hear);
      return () => channel.removeEventListener("message", hear);
    },
    close: () => channel.close(),
  };
}

export const platformTimers: Timers = {
  set: (run, ms) => setTimeout(run, ms),
  clear: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
};
