// A stylesheet that a bad line lost is fetched again: the part of the app that it belongs to doesn't ask for it twice.

const AGAIN_MS = 5_000;

export function fetchStylesAgain(): void {
  const lost = ({ target }: Event): void => {
    if (target instanceof HTMLLinkElement && target.rel === "stylesheet")
      setTimeout(() => target.after(target.cloneNode()), AGAIN_MS);
  };
  // It doesn't bubble.
  addEventListener("error", lost, true);
}
