// Which texts no composer takes up any more, and whether their tabs live.
import { useEffect, useEffectEvent, useMemo, useState } from "react";
import type { ChannelId } from "#protocol/ids.ts";
import type { OutboxSnapshot } from "../../store/snapshots.ts";
import { PLACES } from "../composer/last-words.ts";
import { isLivingPlace, tabOf } from "../composer/left-words.ts";
import { isHere, type Unfinished } from "../composer/unfinished.ts";
import { useUnfinished } from "../composer/use-unfinished.ts";
import { usePlace, useView } from "../services.ts";
import { dropOne, isListed, outOfSight } from "./out-of-sight.ts";

export interface OutOfSightText extends Unfinished {
  /** Its tab lives, and stores it as soon as the disk lets it. */
  readonly isLiving: boolean;
}

const keyOf = ({ place, id }: Unfinished): string => `${place}.${id}`;

/** @returns null while it isn't known yet whether one is out of sight, or was stored after all */
export function useOutOfSight(outbox: OutboxSnapshot | null): readonly OutOfSightText[] | "unplaced" | null {
  const { client } = usePlace();
  const channels = useView(client.channels);
  const { texts } = useUnfinished();
  const said = useMemo(
    () => (outbox === null || channels.state === "loading" ? null : outOfSight(texts, channels.value, outbox)),
    [texts, channels, outbox],
  );
  const found = said === "unplaced" ? [] : (said ?? []);
  /** By key. */
  const [known, setKnown] = useState<ReadonlyMap<string, "stored" | { readonly isLiving: boolean }>>(new Map());
  const keys = found.map(keyOf).join("\n");

  const look = useEffectEvent(async (signal: AbortSignal): Promise<void> => {
    const looked = found.map(async (text) => {
      // Where nobody can say, it may be here alone.
      const posted = await client.commands.isPosted(text.of as ChannelId, text.id).catch(() => null);
      const isLiving = isHere(text.place) || (await isLivingPlace(text.place));
      return [keyOf(text), posted?.ok === true && posted.value ? "stored" : { isLiving }] as const;
    });
    const now = new Map(await Promise.all(looked));
    if (!signal.aborted) setKnown(now);
  });
  const places = useEffectEvent(() => new Set(found.map(({ place }) => place).filter((place) => !isHere(place))));

  useEffect(() => {
    if (keys === "") return undefined;
    const leaving = new AbortController();
    const { signal } = leaving;
    const lookAgain = (): void => void look(signal).catch(reportError);
    lookAgain();
    // A tab has its lock until it is gone.
    if ("locks" in navigator)
      for (const place of places())
        navigator.locks
          .request(PLACES + tabOf(place), { mode: "shared", signal }, lookAgain)
          .catch((error: unknown) => {
            if (!signal.aborted) reportError(error);
          });
    return () => leaving.abort();
  }, [keys]);

  const isStored = (text: Unfinished): boolean =>
    known.get(keyOf(text)) === "stored" || (outbox !== null && isListed(outbox, text));
  const stored = found.filter((text) => isStored(text) && !isHere(text.place));
  const letGo = useEffectEvent(async (): Promise<void> => {
    // Else it would come back as soon as what was stored is dealt with. A tab that lives lets go of its own.
    for (const text of stored) if (!(await isLivingPlace(text.place))) dropOne(text);
  });
  const storedKeys = stored.map(keyOf).join("\n");
  useEffect(() => {
    if (storedKeys !== "") void letGo().catch(reportError);
  }, [storedKeys]);

  const left = found.filter((text) => !isStored(text));
  if (said === "unplaced") return said;
  if (said === null || left.some((text) => !known.has(keyOf(text)))) return null;
  return left.flatMap((text) => {
    const each = known.get(keyOf(text));
    return typeof each === "object" ? [{ ...text, ...each }] : [];
  });
}
