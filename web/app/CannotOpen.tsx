// The database on this device can't be opened: by an older build than the one that wrote it, because bringing it up to
// date failed, or for a reason unknown. Or not yet, while a tab of an older build holds it. Nothing here changes it.
import { useState, type ReactElement } from "react";
import { namesNoted } from "../features/names-noted.ts";
import { Button } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { r } from "../ui/strings-recovery.ts";
import { ExportDevice } from "./ExportDevice.tsx";
import styles from "./CannotOpen.module.css";

type Why = "newer" | "failed" | "blocked" | "denied" | "unknown";

function whyOf(reason: unknown): Why {
  if (reason === "blocked") return "blocked";
  if (!(reason instanceof Error)) return "unknown";
  if (reason.name === "VersionError") return "newer";
  // Chromium (156) has one name for this and for a database that it can't read.
  if (reason.name === "UnknownError" && /denied permission/.test(reason.message)) return "denied";
  return reason.name === "MigrationFailed" ? "failed" : "unknown";
}

/** @param reason what opening failed with, or "blocked" */
export function CannotOpen({ reason }: { readonly reason: unknown }): ReactElement {
  const why = whyOf(reason);
  const { title, text } = r[why];
  // What waits for another tab goes on by itself.
  const actions = why !== "blocked" && (
    <div className={styles.actions}>
      <Button look="primary" onClick={() => void reload()}>
        {why === "failed" ? r.failed.again : r.reload}
      </Button>
      {why !== "denied" && <ExportDevice />}
      {why === "unknown" && <StartAfresh />}
    </div>
  );
  return (
    <main className={styles.page}>
      <EmptyState title={title} action={actions}>
        {whatToDo(reason) ?? text}
      </EmptyState>
    </main>
  );
}

/** What is known of the fault, where it says more than that there is one. */
function whatToDo(reason: unknown): string | null {
  const name = reason instanceof Error ? reason.name : "";
  if (name === "QuotaExceededError") return r.unknown.full;
  return name === "TimeoutError" ? r.unknown.silent : null;
}

/** The last way out, for a database that stays broken. Asked for twice. */
function StartAfresh(): ReactElement {
  const [state, setState] = useState<"idle" | "sure" | "busy" | "failed">("idle");
  if (state === "idle") return <Button onClick={() => setState("sure")}>{r.afresh.act}</Button>;
  const run = (): void => {
    setState("busy");
    startAfresh().catch((error: unknown) => {
      reportError(error);
      setState("failed");
    });
  };
  return (
    <>
      <p role="alert">{state === "failed" ? r.afresh.failed : r.afresh.text}</p>
      <Button look="danger" busy={state === "busy"} onClick={run}>
        {r.afresh.sure}
      </Button>
    </>
  );
}

async function startAfresh(): Promise<void> {
  const { removeDevice } = await import("./remove-device.ts");
  await removeDevice(indexedDB, namesNoted());
  location.reload();
}

/** Into the newest build: the one that is kept here would open the same way again. */
async function reload(): Promise<void> {
  const worker = await import("./updates.ts").then(({ startWorker }) => startWorker()).catch(() => null);
  if (worker === null) location.reload();
  else worker.apply();
}
