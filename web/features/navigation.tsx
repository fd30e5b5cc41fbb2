// Where one is: the address as React state, and the ways to another one without loading the page again. Forty lines
// for what we use of a router; a library's was 2 kB before the composer.
import { useLayoutEffect, useSyncExternalStore, type ComponentProps, type MouseEvent, type ReactElement } from "react";

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) addEventListener("popstate", tell);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) removeEventListener("popstate", tell);
  };
}

function tell(): void {
  for (const listener of listeners) listener();
}

/** The only way to change the address: nothing else is heard of but the browser's own back and forward. */
export function navigate(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (replace) history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  tell();
}

export function usePath(): string {
  return useSyncExternalStore(subscribe, () => location.pathname);
}

/** What stands behind the question mark. */
export function useSearch(): string {
  return useSyncExternalStore(subscribe, () => location.search.slice(1));
}

interface LinkProps extends ComponentProps<"a"> {
  readonly href: string;
}

export function Link({ href, ...rest }: LinkProps): ReactElement {
  function onClick(event: MouseEvent): void {
    // Into another tab or window, or onto the disk: the browser's business.
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    navigate(href);
  }
  // oxlint-disable-next-line jsx-a11y/anchor-has-content -- its children come with the rest
  return <a {...rest} href={href} onClick={onClick} />;
}

/** On elsewhere; the way back doesn't lead here. */
export function Redirect({ to }: { readonly to: string }): null {
  useLayoutEffect(() => navigate(to, { replace: true }), [to]);
  return null;
}
