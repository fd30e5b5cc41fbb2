// Edits that are being stored, of this tab: also when one has looked elsewhere since, and edits the same message again.

export interface Save {
  readonly text: string;
  readonly isStored: Promise<boolean>;
}

/** owner → the last that is being stored */
export const saves = new Map<string, Save>();

/** One edits on behind these: their end closes nothing. */
export const editedOn = new WeakSet<Save>();

/** Resolves when what was saved last is stored, or can't be; undefined where nothing is under way. */
export const saveUnderWay = (owner: string): Promise<unknown> | undefined => saves.get(owner)?.isStored;
