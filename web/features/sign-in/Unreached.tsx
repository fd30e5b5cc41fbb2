// At a door that only opens with a network, while there is none: said before somebody fills a form in. Who comes to a device
// whose data the browser lost stands here too, and hears how much of it is kept; whose that is isn't known.
import { useEffect, useState, type ReactElement } from "react";
import { door } from "../../ui/strings-door.ts";
import { namesNoted } from "../names-noted.ts";
import { useClient, useView } from "../services.ts";
import styles from "./Form.module.css";

export function Unreached(): ReactElement | null {
  const isSignedIn = useView(useClient().account.session).state === "signed-in";
  return isSignedIn ? null : <IfUnreached />;
}

function IfUnreached(): ReactElement | null {
  const isUnreached = useUnreached();
  const unsentCount = useUnsentCount(isUnreached);
  return (
    <div role="status">
      {isUnreached && (
        <p className={styles.card}>
          {door.unreached.text} {unsentCount > 0 && door.unreached.unsent(unsentCount)}
        </p>
      )}
    </div>
  );
}

/** Looked for where it is said only. */
function useUnsentCount(isSaid: boolean): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    let isLeft = false;
    const look = async (): Promise<void> => {
      const { unsentTextCount } = await import("../../sync/unsent-here.ts");
      const notes = (): Storage => localStorage;
      const found = await unsentTextCount({ indexedDB, notes, noted: namesNoted(), report: reportError });
      if (!isLeft) setCount(found);
    };
    if (isSaid) look().catch(reportError);
    return () => {
      isLeft = true;
    };
  }, [isSaid]);
  return count;
}

function useUnreached(): boolean {
  const { account } = useClient();
  const [isUnreached, setUnreached] = useState(false);
  useEffect(() => {
    const left = new AbortController();
    const follow = async (): Promise<void> => {
      const view = await account.unreached();
      if (left.signal.aborted) return;
      const tell = (): void => setUnreached(view.snapshot());
      left.signal.addEventListener("abort", view.subscribe(tell));
      tell();
    };
    const again = (): void => void account.refresh().catch(reportError);
    follow().catch(reportError);
    addEventListener("online", again, { signal: left.signal });
    return () => left.abort();
  }, [account]);
  return isUnreached;
}
