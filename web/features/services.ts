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
  const client = use(ClientContext);
  if (client === null) throw new Error("rendered outside of ClientContext");
  return client;
}

/** The workspace on screen. */
export function usePlace(): Place {
  const place = use(PlaceContext);
  if (place === null) throw new Error("rendered outside of a workspace");
  return place;
}

export function useView<Snapshot>(view: View<Snapshot>): Snapshot {
  return useSyncExternalStore(view.subscribe, view.snapshot);
}
