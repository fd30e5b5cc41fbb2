// Components in chunks of their own. Not by Suspense: React holds back what a fallback stood for, for up to 300 ms
// (FALLBACK_THROTTLE_MS in React 19), which would be felt at every first menu, dialog and screen.
import { createElement, useSyncExternalStore, type ComponentType, type ReactElement } from "react";

type State<Props> =
  | { readonly name: "asked" }
  | { readonly name: "here"; readonly component: ComponentType<Props> }
  /** Offline before the worker had it, or gone with an old build. The next one who needs it tries again. */
  | { readonly name: "missing" };

/** Shows nothing until it is here, and `whenMissing` (for what fills the screen) where it can't be had. */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  whenMissing?: ComponentType,
): (props: Props) => ReactElement | null {
  let state: State<Props> | null = null;
  const listeners = new Set<() => void>();

  function become(next: State<Props>): void {
    state = next;
    for (const listener of listeners) listener();
  }

  function ask(): void {
    if (state !== null && state.name !== "missing") return;
    become({ name: "asked" });
    load().then(
      (component) => become({ name: "here", component }),
      () => become({ name: "missing" }),
    );
  }

  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    ask();
    return () => listeners.delete(listener);
  }

  return function Later(props: Props): ReactElement | null {
    const now = useSyncExternalStore(subscribe, () => state);
    if (now?.name === "here") return createElement(now.component, props);
    return now?.name === "missing" && whenMissing !== undefined ? createElement(whenMissing) : null;
  };
}
