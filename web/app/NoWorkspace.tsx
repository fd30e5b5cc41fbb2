// A workspace one isn't in, as far as this device knows; with those one is in.
import type { ReactElement } from "react";
import { Link } from "../features/navigation.tsx";
import { SIGN_IN, workspacePath } from "../features/paths.ts";
import { useClient, useView } from "../features/services.ts";
import { Frame } from "../features/sign-in/Frame.tsx";
import { door } from "../ui/strings-door.ts";
import styles from "./NoWorkspace.module.css";

export function NoWorkspace(): ReactElement {
  const session = useView(useClient().account.session);
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
      {session.state === "nobody" && <Link href={SIGN_IN}>{door.signIn.act}</Link>}
    </Frame>
  );
}
