// The browser's offer to install the app, kept until the person asks for it in the menu.

/** Chromium's event; no other browser has it, and it is in no standard. */
interface InstallOffer extends Event {
  readonly prompt: () => Promise<unknown>;
}

let offer: InstallOffer | null = null;
const listeners = new Set<() => void>();

function keep(next: InstallOffer | null): void {
  offer = next;
  for (const listener of listeners) listener();
}

export const installOffer = {
  snapshot: (): boolean => offer !== null,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Once, at the start: the event comes early and only once. */
export function watchForInstallOffer(): void {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    keep(event as InstallOffer);
  });
  addEventListener("appinstalled", () => {
    keep(null);
    // Whoever installs it means to keep it, and that is when a browser says yes; where there is such a thing.
    void navigator.storage?.persist?.();
  });
}

/** The browser asks the person; an offer can be used once. */
export async function install(): Promise<void> {
  const asked = offer;
  keep(null);
  await asked?.prompt();
}
