// A channel of which nothing has come to this device: not empty, only not here, and why.
import type { ReactElement } from "react";
import { apartBy } from "../../store/apart.ts";
import type { ConnectionSnapshot } from "../../store/snapshots.ts";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { k } from "../../ui/strings-conflict.ts";
import { usePlace, useView } from "../services.ts";

export function NotHere(): ReactElement {
  const connection = useView(usePlace().client.connection);
  const { title, because } = k.notHere;
  return <EmptyState title={title}>{because[reasonOf(connection)]}</EmptyState>;
}

function reasonOf(connection: ConnectionSnapshot): keyof typeof k.notHere.because {
  const apart = apartBy(connection);
  // Nobody has to do anything about either.
  return apart === null || apart === "misconfigured" ? "offline" : apart;
}
