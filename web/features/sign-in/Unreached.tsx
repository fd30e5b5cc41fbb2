// At a door that only opens with a network, while there is none: said before somebody fills a form in. Who comes to a device
// whose data the browser lost stands here too, and hears how much was noted of it; whose that is isn't known.
import { useEffect, useState, type ReactElement } from "react";
import { notedTextCount } from "../../sync/waiting.ts";
import { door } from "../../ui/strings-door.ts";
import { useClient, useView } from "../services.ts";
import styles from "./Form.module.css";

export function Unreached(): ReactElement | null {
  const isSignedIn = useView(useClient().account.session).state === "signed-in";
  return isSignedIn ? null : <IfUnreached />;
}

function IfUnreached(): ReactElement | null {
  const isUnreached = useUnreached();
  const [notedCount] = useState(() => notedTextCount(allKept()));
  return (
    <div role="status">
      {isUnreached && (
        <p className={styles.card}>
          {door.unreached.text} {notedCount > 0 && door.unreached.noted(notedCount)}
        </p>
      )}
    </div>
  );
}

/** All that this browser keeps by name; nothing where that is blocked. */
function allKept(): readonly [string, string][] {
  try {
    return Object.entries<string>(localStorage);
  } catch {
    return [];
  }
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
