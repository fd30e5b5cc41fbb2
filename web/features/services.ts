// What the screens are given, once, from main.tsx: the client, and inside a workspace its views and commands.
import { createContext, use, useSyncExternalStore } from "react";
import type { View } from "../store/view.ts";
import type { Client, WorkspaceClient } from "../sync/client.ts";

export const ClientContext = createContext<Client | null>(null);

export interface Place {
  readonly slug: string;
  readonly client: WorkspaceClient;
}

export const PlaceContext = createContext<Place | null>(null);

export function useClient(): Client {
  return provided(use(ClientContext), "client");
}

/** The workspace on screen. */
export function usePlace(): Place {
  return provided(use(PlaceContext), "workspace");
}

function provided<Value>(value: Value | null, what: string): Value {
  if (value === null) throw new Error(`Nothing above provides the ${what}.`);
  return value;
}

export function useView<Snapshot>(view: View<Snapshot>): Snapshot {
  return useSyncExternalStore(view.subscribe, view.snapshot);
}
