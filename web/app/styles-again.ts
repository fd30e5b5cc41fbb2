// A stylesheet that a bad line lost is fetched again: the part of the app that it belongs to doesn't ask for it twice.

/** Before the first try; twice as long each time, for it may be gone for good; ms. */
const AGAIN_MS = 2_000;

export function fetchStylesAgain(): void {
  const pauses = new Map<string, number>();
  const again = (link: HTMLLinkElement): void => {
    const pause = pauses.get(link.href) ?? AGAIN_MS;
    pauses.set(link.href, pause * 2);
    setTimeout(() => {
      // It may have been on its way when this began to look.
      if (link.sheet === null) link.replaceWith(link.cloneNode());
    }, pause);
  };
  for (const link of document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]"))
    if (link.sheet === null) again(link);
  const lost = ({ target }: Event): void => {
    if (target instanceof HTMLLinkElement && target.rel === "stylesheet") again(target);
  };
  // It doesn't bubble.
  document.addEventListener("error", lost, { capture: true });
}
