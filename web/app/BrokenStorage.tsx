// What is stored can't be read: told, taken out as far as it goes, and made anew when the person says so.
import { useEffect, useState, type ReactElement } from "react";
import { useClient } from "../features/services.ts";
import type { Client } from "../sync/client.ts";
import { OWN_ISSUER } from "#protocol/issuer.ts";
import { personDatabase } from "../store/index-database.ts";
import type { Rebuilt } from "../sync/rebuild.ts";
import { uuidv7 } from "../sync/uuid.ts";
import { Button } from "../ui/Button.tsx";
import { r } from "../ui/strings-recovery.ts";
import { ExportDevice } from "./ExportDevice.tsx";
import styles from "./UpdateBar.module.css";

type State = "asking" | "busy" | "waiting" | "unread" | "failed";

/** A tab that holds the database and hangs is waited for; from then on the person knows. */
const SAYS_AFTER_MS = 5_000;
/** Much longer than it takes: a page that is loaded anew before would lose what it alone has. */
const STORED_WITHIN_MS = 30_000;

export function BrokenStorage(): ReactElement {
  const client = useClient();
  const [state, setState] = useState<State>("asking");
  const isBusy = state === "busy" || state === "waiting";
  const name = databaseHere(client);

  useEffect(() => {
    if (state !== "busy") return undefined;
    const timer = setTimeout(() => setState("waiting"), SAYS_AFTER_MS);
    return () => clearTimeout(timer);
  }, [state]);

  async function run(): Promise<void> {
    setState("busy");
    try {
      const done = await rebuilt(client, state === "unread");
      if (done === "unread") return setState(done);
      // What only this tab had is stored again by then; whatever met the old one starts anew with the page.
      if (done === "done") await isAnew(client);
      location.reload();
    } catch (error) {
      reportError(error);
      setState("failed");
    }
  }

  return (
    <div className={styles.bar} role="alert">
      <p className={styles.text}>{state === "busy" ? r.broken.asking : r.broken[state]}</p>
      {!isBusy && <ExportDevice {...(name !== null && { of: name })} />}
      <Button look={state === "unread" ? "danger" : "primary"} busy={isBusy} onClick={() => void run()}>
        {isBusy ? r.broken.isRunning : state === "unread" ? r.broken.anyway : r.broken.act}
      </Button>
    </div>
  );
}

/** Resolves when this tab has stored again what it had in memory; see sync/recover.ts. */
function isAnew({ update }: Client): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error("what was in memory is not stored again")), STORED_WITHIN_MS);
    const look = (): void => {
      if (update.snapshot().notice === "broken") return;
      clearTimeout(late);
      resolve();
    };
    // Until the page is loaded anew.
    update.subscribe(look);
    look();
  });
}

/** Null where nobody is here. */
function databaseHere({ account }: Client): string | null {
  const session = account.session.snapshot();
  return session.state === "nobody" ? null : personDatabase(OWN_ISSUER, session.person.user);
}

async function rebuilt(client: Client, withoutUnread: boolean): Promise<Rebuilt> {
  const session = client.account.session.snapshot();
  const name = databaseHere(client);
  if (session.state === "nobody" || name === null) return "done";
  const { rebuild } = await import("../sync/rebuild.ts");
  const workspaces = session.workspaces.map(({ id }) => id);
  const held = session.workspaces.flatMap(({ id, slug }) =>
    client.open(slug)?.workspace.snapshot().state === "ready" ? [id] : [],
  );
  return rebuild({
    factory: indexedDB,
    name,
    held: new Set(held),
    workspaces,
    withoutUnread,
    newId: () => uuidv7(Date.now(), crypto.getRandomValues(new Uint8Array(10))),
  });
}
