// What stands in a composer when texts come back that couldn't be sent, or were taken back.

export interface Unsent {
  readonly text: string;
  /** By the page's own clock, ms, or its place in the outbox: those of one composer by the same. */
  readonly order: number;
}

export interface PutBack {
  /** Those that came back and nobody has touched, in the order they were sent in. */
  readonly back: readonly Unsent[];
  readonly text: string;
}

/**
 * They stand first, in the order they were sent in, whichever failed first; then what was typed since. Where somebody has
 * changed what came back before, that counts as typed.
 */
export function putBack({ back, text }: PutBack, unsent: Unsent): PutBack {
  const head = back.map((each) => `${each.text}\n`).join("");
  if (!`${text}\n`.startsWith(head)) return putBack({ back: [], text }, unsent);
  const next = [...back, unsent].toSorted((one, other) => one.order - other.order);
  return { back: next, text: joined(...next.map((each) => each.text), text.slice(head.length)) };
}

const joined = (...texts: string[]): string => texts.filter((text) => text !== "").join("\n");
