// Edits that are being stored, of this tab: also when one has looked elsewhere since, and edits the same message again.
import { useSyncExternalStore } from "react";
import { signal } from "../../store/source.ts";

export interface Save {
  readonly text: string;
  readonly isStored: Promise<boolean>;
}

/** owner → the last that is being stored */
const saves = new Map<string, Save>();
const changes = signal();

export const saveOf = (owner: string): Save | undefined => saves.get(owner);

export function beginSave(owner: string, save: Save): void {
  saves.set(owner, save);
  changes.tell();
}

/** Nothing where another one was begun behind it. */
export function endSave(owner: string, save: Save): void {
  if (saves.get(owner) !== save) return;
  saves.delete(owner);
  changes.tell();
}

export const useSaveOf = (owner: string): Save | undefined =>
  useSyncExternalStore(changes.subscribe, () => saveOf(owner));

/** One edits on behind these: their end closes nothing. */
export const editedOn = new WeakSet<Save>();

/** Resolves when what was saved last is stored, or can't be; undefined where nothing is under way. */
export const saveUnderWay = (owner: string): Promise<unknown> | undefined => saveOf(owner)?.isStored;
