// A person's picture; without one their initials, on a colour that is theirs everywhere. Decorative: the name stands
// beside it.
import type { ReactElement } from "react";
import styles from "./Avatar.module.css";

interface AvatarProps {
  readonly id: string;
  readonly name: string;
  readonly picture?: string | undefined;
  readonly size?: 20 | 24 | 36 | 56;
  /** Shows the mark of presence. */
  readonly isPresent?: boolean;
}

export function Avatar({ id, name, picture, size = 36, isPresent = false }: AvatarProps): ReactElement {
  return (
    <span
      className={styles.avatar}
      data-size={size}
      data-hue={hueOf(id)}
      data-initials={picture === undefined ? initialsOf(name) : undefined}
      aria-hidden="true"
    >
      {picture !== undefined && <img src={picture} alt="" width={size} height={size} loading="lazy" />}
      {isPresent && <span className={styles.present} />}
    </span>
  );
}

const HUES = 12;

/** One of 12, the same for an id for ever: a small string hash (FNV-1a). */
export function hueOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % HUES;
}

const letters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The first letters of the first and the last word; whole graphemes, of whatever script. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/u);
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words;
  return chosen
    .map((word = "") => letters.segment(word)[Symbol.iterator]().next().value?.segment ?? "")
    .join("")
    .toLocaleUpperCase();
}
