// Work that is done one after the other, in the order asked for.
/** Each hears whether the one it stood behind got through; the first in line hears that all is well. */
export type Line = <T extends { readonly ok: boolean }>(work: (isWell: boolean) => Promise<T>) => Promise<T>;

export function createLine(): Line {
  let last: Promise<boolean> | null = null;
  return (work) => {
    const done = (last ?? Promise.resolve(true)).then(work);
    const leave = (isWell: boolean): boolean => {
      if (last === left) last = null;
      return isWell;
    };
    const left: Promise<boolean> = done.then(
      ({ ok }) => leave(ok),
      () => leave(true),
    );
    last = left;
    return done;
  };
}
