// A stylesheet that a bad line lost is fetched again: the part of the app that it belongs to doesn't ask for it twice.

/** Before the first try; twice as long each time, for it may be gone for good; ms. */
const AGAIN_MS = 2_000;

export function fetchStylesAgain(): void {
  const pauses = new Map<string, number>();
  const again = ({ target }: Event): void => {
    if (!(target instanceof HTMLLinkElement) || target.rel !== "stylesheet") return;
    const pause = pauses.get(target.href) ?? AGAIN_MS;
    pauses.set(target.href, pause * 2);
    setTimeout(() => target.replaceWith(target.cloneNode()), pause);
  };
  // It doesn't bubble.
  document.addEventListener("error", again, { capture: true });
}
