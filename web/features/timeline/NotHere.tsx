// A channel of which nothing has come to this device: not empty, only not here, and why.
import type { ReactElement } from "react";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { k } from "../../ui/strings-conflict.ts";
import { usePlace, useView } from "../services.ts";

export function NotHere(): ReactElement {
  const connection = useView(usePlace().client.connection);
  const { title, because } = k.notHere;
  return <EmptyState title={title}>{because[reasonOf(connection)]}</EmptyState>;
}

function reasonOf(connection: { readonly state: string; readonly isChosen?: true }): keyof typeof k.notHere.because {
  if (connection.isChosen === true) return "chosen";
  if (connection.state === "refused") return "refused";
  return connection.state === "signed-out" ? "signedOut" : "offline";
}
