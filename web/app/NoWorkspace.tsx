// A workspace one isn't in, as far as this device knows; with those one is in.
import { useEffect, type ReactElement } from "react";
import { KeptUnsent } from "../features/KeptUnsent.tsx";
import { Link } from "../features/navigation.tsx";
import { SIGN_IN, workspacePath } from "../features/paths.ts";
import { useClient, useView } from "../features/services.ts";
import { Frame } from "../features/sign-in/Frame.tsx";
import { door } from "../ui/strings-door.ts";
import styles from "./NoWorkspace.module.css";

/** Whoever was taken out may be let in again while they look at this. */
const ASK_EVERY_MS = 30_000;

export function NoWorkspace(): ReactElement {
  const { account } = useClient();
  const session = useView(account.session);

  useEffect(() => {
    // What fails is asked again.
    const ask = (): void => void account.refresh().catch(() => undefined);
    ask();
    const timer = setInterval(ask, ASK_EVERY_MS);
    for (const news of ["online", "focus"]) addEventListener(news, ask);
    return () => {
      clearInterval(timer);
      for (const news of ["online", "focus"]) removeEventListener(news, ask);
    };
  }, [account]);

  const workspaces = session.state === "nobody" ? [] : session.workspaces;
  return (
    <Frame title={door.noWorkspace.title} lead={door.noWorkspace.text}>
      {workspaces.length > 0 && (
        <nav aria-label={door.noWorkspace.other}>
          <ul className={styles.list}>
            {workspaces.map(({ slug, name }) => (
              <li key={slug}>
                <Link href={workspacePath(slug)}>{name}</Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <KeptUnsent />
      {session.state === "nobody" && <Link href={SIGN_IN}>{door.signIn.act}</Link>}
    </Frame>
  );
}
