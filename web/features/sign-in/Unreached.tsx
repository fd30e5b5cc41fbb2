// At a door that only opens with a network, while there is none: said before somebody fills a form in. A device whose data
// the browser lost stands here too, and what was noted of it is named then, by its number: who wrote it isn't known.
import { useEffect, useState, type ReactElement } from "react";
import { failure, type ErrorCode } from "#protocol/errors.ts";
import { notedTextCount } from "../../sync/waiting.ts";
import { door } from "../../ui/strings-door.ts";
import { useClient, useView } from "../services.ts";
import styles from "./Form.module.css";

const ASKED_AGAIN_MS = 10_000;
const NOT_REACHED: ReadonlySet<ErrorCode> = new Set(["offline", "upstream_unavailable"]);
/** Then nobody was asked, and signing in takes the choice back. */
const BY_CHOICE = failure("offline", { rule: "chosen" }).detail;

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

/** Asks until there is an answer, which also lets in whose session this browser still has. */
function useUnreached(): boolean {
  const { account } = useClient();
  const [isUnreached, setUnreached] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLeft = false;
    const ask = async (): Promise<void> => {
      clearTimeout(timer);
      const answer = await account.refresh();
      if (isLeft) return;
      const isNone = !answer.ok && NOT_REACHED.has(answer.error.code) && answer.error.detail !== BY_CHOICE;
      setUnreached(isNone);
      clearTimeout(timer);
      if (isNone) timer = setTimeout(again, ASKED_AGAIN_MS);
    };
    const again = (): void => void ask().catch(reportError);
    again();
    addEventListener("online", again);
    return () => {
      isLeft = true;
      clearTimeout(timer);
      removeEventListener("online", again);
    };
  }, [account]);
  return isUnreached;
}
