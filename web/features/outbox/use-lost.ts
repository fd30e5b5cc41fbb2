// What was noted as unsent and went with this device's data: read from where it is noted, and given up there.
import { useMemo, useSyncExternalStore } from "react";
import { OWN_ISSUER } from "#protocol/issuer.ts";
import { personDatabase } from "../../store/index-database.ts";
import { changeLost, lostAsStored, lostChanged, readLost, without, type Lost } from "../../sync/waiting.ts";
import { useClient, useView } from "../services.ts";

const notes = (): Storage => localStorage;

export interface UsedLost {
  readonly lost: Lost | null;
  /** Of what was lost, what can be read; the rest is only known to have been there. */
  readonly textCount: number;
  /** Now, and by any tab: whether this text of it hasn't been given up. */
  readonly isThere: (op: string) => boolean;
  /** Done with, whatever becomes of it. */
  readonly giveUp: (ops: readonly string[]) => void;
  /** The person knows; what has words stays in the Outbox. */
  readonly dismiss: () => void;
}

export function useLost(): UsedLost {
  const session = useView(useClient().account.session);
  const name = session.state === "nobody" ? null : personDatabase(OWN_ISSUER, session.person.user);
  const stored = useSyncExternalStore(subscribe, () => (name === null ? null : lostAsStored(notes, name)));
  const lost = useMemo(() => readLost(stored), [stored]);

  function change(make: (was: Lost | null) => Lost | null): void {
    if (name !== null) changeLost(notes, name, make);
  }
  return {
    lost,
    textCount: lost?.texts.length ?? 0,
    isThere: (op) =>
      name !== null && readLost(lostAsStored(notes, name))?.texts.some((text) => text.op === op) === true,
    giveUp: (ops) => change((was) => without(new Set(ops), was)),
    dismiss: () => change((was) => (was === null || was.texts.length === 0 ? null : { ...was, isTold: true })),
  };
}

/** By this tab or another. */
function subscribe(listener: () => void): () => void {
  addEventListener("storage", listener);
  const stop = lostChanged.subscribe(listener);
  return () => {
    removeEventListener("storage", listener);
    stop();
  };
}
