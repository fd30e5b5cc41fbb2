// Code in chunks of its own. Not by Suspense: React holds back what a fallback stood for, for up to 300 ms
// (FALLBACK_THROTTLE_MS in React 19), which would be felt at every first menu, dialog and screen.
import { createElement, useSyncExternalStore, type ComponentType, type ReactElement } from "react";

type State<Code> =
  | { readonly name: "asked" }
  | { readonly name: "here"; readonly code: Code }
  /** Offline before the worker had it, or gone with an old build. It is asked for again as long as somebody needs it. */
  | { readonly name: "missing" };

const AGAIN_MS = 5_000;

/** A hook: the code once it is here. Asked for by the first who needs it. */
export function loading<Code>(load: () => Promise<Code>): (isNeeded: boolean) => State<Code> | null {
  let state: State<Code> | null = null;
  const listeners = new Set<() => void>();

  function become(next: State<Code>): void {
    state = next;
    for (const listener of listeners) listener();
  }

  function ask(): void {
    load().then((code) => become({ name: "here", code }), fail);
  }

  function fail(): void {
    if (state?.name === "here") return;
    become({ name: "missing" });
    setTimeout(() => {
      if (listeners.size > 0 && state?.name === "missing") ask();
    }, AGAIN_MS);
  }

  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    if (state === null || state.name === "missing") {
      become({ name: "asked" });
      ask();
    }
    return () => listeners.delete(listener);
  }

  return (isNeeded) => useSyncExternalStore(isNeeded ? subscribe : never, () => state);
}

const never = (): (() => void) => () => undefined;

export type PropsOf<Component> = Component extends ComponentType<infer Props extends object> ? Props : never;

/**
 * The component of this name. Shows nothing until it is here, and `whenMissing` (for what fills the screen) where it can't
 * be had.
 */
export function later<Name extends string, Module extends { readonly [name in Name]: ComponentType<never> }>(
  load: () => Promise<Module>,
  name: Name,
  whenMissing?: ComponentType,
): (props: PropsOf<Module[Name]>) => ReactElement | null {
  const useModule = loading(load);
  return function Later(props): ReactElement | null {
    const state = useModule(true);
    if (state?.name === "here") return createElement(state.code[name] as ComponentType<PropsOf<Module[Name]>>, props);
    return state?.name === "missing" && whenMissing !== undefined ? createElement(whenMissing) : null;
  };
}

/** A hook for code that is no component: null until it is needed and here. */
export function laterCode<Code>(load: () => Promise<Code>): (isNeeded: boolean) => Code | null {
  const useCode = loading(load);
  return (isNeeded) => {
    const state = useCode(isNeeded);
    return state?.name === "here" ? state.code : null;
  };
}
