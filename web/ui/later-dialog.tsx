// A dialog whose code may come late: over the slow line of a first visit, or not before there is a network.
import { createElement, useEffect, type ComponentType, type ReactElement } from "react";
import { loading, type PropsOf } from "./later.tsx";
import styles from "./later-dialog.module.css";
import { t } from "./strings.ts";

/** Alone they are a screen reader's, as it reads. */
const MODIFIERS: ReadonlySet<string> = new Set(["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock", "Insert"]);

interface DialogProps {
  readonly onClose: () => void;
}

/**
 * The dialog of this name. Until it is here whoever goes on, with a key or a press, has closed it: it would take the focus,
 * and what is typed, from the middle of a word. Where it can't be had, that is said.
 */
export function laterDialog<Name extends string, Module extends { readonly [name in Name]: ComponentType<never> }>(
  load: () => Promise<Module>,
  name: Name,
): (props: PropsOf<Module[Name]> & DialogProps) => ReactElement | null {
  const useModule = loading(load);
  return function LaterDialog(props): ReactElement | null {
    const state = useModule(true);
    const isHere = state?.name === "here";
    const { onClose } = props;
    useEffect(() => {
      if (isHere) return;
      const waiting = new AbortController();
      const goOn = (event: Event): void => {
        if (!(event instanceof KeyboardEvent && MODIFIERS.has(event.key))) onClose();
      };
      // What is dictated, or chosen from a list of characters, comes without a key.
      for (const type of ["keydown", "pointerdown", "beforeinput"])
        addEventListener(type, goOn, { capture: true, signal: waiting.signal });
      return () => waiting.abort();
    }, [isHere, onClose]);
    if (isHere) return createElement(state.code[name] as ComponentType<PropsOf<Module[Name]>>, props);
    if (state?.name !== "missing") return null;
    return (
      <p role="alert" className={styles.missing}>
        {t.notLoaded.title}. {t.notLoaded.text}
      </p>
    );
  };
}
