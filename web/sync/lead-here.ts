// What leading takes in a tab of the app, beside the lock: the engine, and an eye on who uses the page. Neither is on the
// way to what is on disk, so neither is this code.
import type { Engine } from "./engine.ts";
import { historyAsks, type HistoryAsks } from "./history-asks.ts";
import { startLeading, type Leading } from "./leading.ts";
import type { TabDeps } from "./tab.ts";
import type { TabMessage } from "./tab-messages.ts";

export interface LeadHereDeps extends TabDeps {
  readonly tab: string;
  /** To all tabs, this one included. */
  readonly send: (message: TabMessage) => void;
  /** The engine that runs here from now on. */
  readonly runs: (engine: Engine | null) => void;
  readonly deposed: () => void;
  readonly changed: () => void;
}

/** What a tab asks of whoever leads comes with it: also where that is another, nothing of it is needed before. */
export interface LeadHere extends Leading {
  readonly asks: HistoryAsks;
}

export function leadHere(deps: LeadHereDeps): LeadHere {
  const { ports, send } = deps;
  let stopUse = (): void => undefined;
  // Where its code can't be had, the background is less considerate.
  void ports.surroundings?.().then(
    (around) => {
      stopUse = around.listen((what) => {
        if (what === "used") send({ type: "busy" });
      });
    },
    () => undefined,
  );
  const leading = startLeading({ ...deps, say: deps.bus.send, lead: () => engineOf(deps) });
  return {
    ...leading,
    asks: historyAsks(ports, send),
    close: (isOutdated) => {
      stopUse();
      return leading.close(isOutdated);
    },
  };
}

// Sockets and catching up aren't on the way to what is on disk either.
async function engineOf(deps: LeadHereDeps): Promise<() => () => Promise<void>> {
  const [{ startEngine }, care] = await Promise.all([import("./engine.ts"), deps.care()]);
  return () => {
    const started = startEngine({ ...deps, care });
    deps.runs(started);
    return async () => {
      deps.runs(null);
      await started.stop();
      // One that hung tells of what it stored only now, behind what the next one has told since.
      deps.send({ type: "who" });
    };
  };
}
