// One search worker a tab, whichever of its workspaces asks.
import type { Replica } from "../../store/replica.ts";
import type { Store } from "../../store/store.ts";
import type { Ports } from "../ports.ts";
import type { Tab } from "../tab.ts";
import { searchOf, type Search } from "./search.ts";
import { openWorkerLink, type WorkerLink } from "./worker-link.ts";

export interface OpenedSearch extends Search {
  readonly close: () => void;
}

export interface OpenSearchDeps {
  readonly store: Store;
  readonly ports: Ports;
  readonly tab: Tab;
}

const links = new WeakMap<Tab, { readonly link: WorkerLink; userCount: number }>();

export function openSearch({ store, ports, tab }: OpenSearchDeps, replica: Replica): OpenedSearch {
  const shared = links.get(tab) ?? { link: openWorkerLink({ ports, store, name: tab.name }), userCount: 0 };
  if (!links.has(tab)) {
    links.set(tab, shared);
    tab.onMissed(shared.link.recheck);
  }
  shared.userCount += 1;
  return {
    ...searchOf({ store, replica, link: shared.link, now: ports.now }),
    close: () => {
      shared.userCount -= 1;
      if (shared.userCount === 0) shared.link.close();
    },
  };
}
