// Saves what isn't delivered yet as a file, before it is given up.
import type { ReactElement } from "react";
import { lostLines } from "../sync/waiting.ts";
import { Button } from "../ui/Button.tsx";
import { s } from "../ui/strings-more.ts";
import { unfinishedLines } from "./composer/unfinished.ts";
import { useUnfinished } from "./composer/use-unfinished.ts";
import { useLost } from "./outbox/use-lost.ts";
import { useClient } from "./services.ts";

/** A browser may still be reading the file when the click is long over. */
const REVOKE_AFTER_MS = 60_000;

export function SaveUnsent(): ReactElement {
  const { account } = useClient();
  const { texts } = useUnfinished();
  const { lost } = useLost();

  async function save(): Promise<void> {
    const file = new Blob([...(await account.exportUnsent()), ...unfinishedLines(texts), ...lostLines(lost)], {
      type: "application/x-ndjson",
    });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = s.signOut.exportName(new Date().toISOString().slice(0, 10));
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_AFTER_MS);
  }

  return <Button onClick={() => void save()}>{s.signOut.export}</Button>;
}
