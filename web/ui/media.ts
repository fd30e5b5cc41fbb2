// What the screen is like, as React state.
import { useSyncExternalStore } from "react";

/** Below it sidebar, timeline and panel are levels of one stack (design). The style sheets say the same width. */
const phone = matchMedia("(width < 720px)");
const touch = matchMedia("(pointer: coarse)");

function subscribe(listener: () => void): () => void {
  phone.addEventListener("change", listener);
  return () => phone.removeEventListener("change", listener);
}

export function usePhone(): boolean {
  return useSyncExternalStore(subscribe, () => phone.matches);
}

/** Where focusing a field would raise a keyboard over half the screen. */
export function isTouch(): boolean {
  return touch.matches;
}
