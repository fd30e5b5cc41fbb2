// This build can't go on: its code is gone, its database is a newer one's, or a room has moved on. Said in words, and done
// by itself where nobody is in the middle of anything; never again and again.
import { useEffect, type ReactElement } from "react";
import { useClient, useView } from "../features/services.ts";
import { StorageNotice } from "../features/settings/StorageNotice.tsx";
import { Button } from "../ui/Button.tsx";
import { r } from "../ui/strings-recovery.ts";
import { BrokenStorage } from "./BrokenStorage.tsx";
import { askBeforeLeaving } from "./ask-before-leaving.ts";
import { holdsText, holdsUnkeptText, keepNothing } from "./unkept-text.ts";
import { later } from "../ui/later.tsx";
import styles from "./UpdateBar.module.css";

/** Rare enough to come by itself. */
const LostNotice = later(() => import("../features/outbox/LostNotice.tsx"), "LostNotice");

export function UpdateBar(): ReactElement {
  const { account, update } = useClient();
  const isKept = useView(update).notice !== "memory";
  useEffect(() => {
    // Where the code that counts can't come, it asks about what stands in a field.
    if (!isKept) void askBeforeLeaving(account).catch(() => undefined);
  }, [account, isKept]);
  // Before `Outdated` looks whether a reload takes anything: effects of children run first, so it is told while rendering.
  if (!isKept) keepNothing();
  return <Bar isKept={isKept} />;
}

interface Kept {
  readonly isKept: boolean;
}

function Bar({ isKept }: Kept): ReactElement {
  const { isNeeded, notice } = useView(useClient().update);
  // Whoever can't go on needn't know of the disk as well.
  if (isNeeded || notice === null) return <Outdated isKept={isKept} />;
  if (notice === "broken") return <BrokenStorage />;
  return notice === "unsent-gone" ? <LostNotice /> : <StorageNotice notice={notice} />;
}

function Outdated({ isKept }: Kept): ReactElement {
  const { applyUpdate } = useClient();

  useEffect(() => {
    function applyWhenSafe(): void {
      // What a composer holds is kept, but whoever looks at it is asked.
      const isSafe = document.hidden ? !holdsUnkeptText() : !holdsText();
      if (isSafe && mayReloadByItself()) applyUpdate();
    }
    applyWhenSafe();
    document.addEventListener("visibilitychange", applyWhenSafe);
    return () => document.removeEventListener("visibilitychange", applyWhenSafe);
  }, [applyUpdate]);

  return (
    <div className={styles.bar} role="alert">
      <p className={styles.text}>{isKept ? r.update.text : r.update.unkept}</p>
      <Button look="primary" onClick={applyUpdate}>
        {r.reload}
      </Button>
    </div>
  );
}

const RELOADED = "causeway.reloaded";
/** Where reloading didn't help, the person is asked from then on. */
const AGAIN_AFTER_MS = 60 * 60_000;

function mayReloadByItself(): boolean {
  try {
    const at = Number(sessionStorage.getItem(RELOADED) ?? Number.NaN);
    if (Date.now() - at < AGAIN_AFTER_MS) return false;
    sessionStorage.setItem(RELOADED, String(Date.now()));
    return true;
  } catch {
    // Without a memory of it, it could be a loop.
    return false;
  }
}
