// The routes (product, point 2), in two halves: a workspace, which is here at once, and all else, which loads when asked
// for.
import { useEffect, type ReactElement } from "react";
import { Redirect, usePath } from "../features/navigation.tsx";
import { NotLoaded } from "../features/NotLoaded.tsx";
import { readAddress, SETUP, SIGN_IN, WELCOME, withNext, workspacePath } from "../features/paths.ts";
import { PlaceContext, useClient, useView } from "../features/services.ts";
import { ErrorBoundary } from "../ui/ErrorBoundary.tsx";
import { later } from "../ui/later.tsx";
import { lastWorkspace, rememberPlace } from "./last-place.ts";
import { Workspace } from "./Workspace.tsx";

const OtherScreens = later(() => import("./OtherScreens.tsx"), "OtherScreens", NotLoaded);

interface AppProps {
  /** Told when there is something to see; more than once. */
  readonly onShown: () => void;
}

export function App({ onShown }: AppProps): ReactElement {
  const path = usePath();
  const address = readAddress(path);

  useEffect(() => {
    if (path !== "/" && address === null) onShown();
  }, [path, address, onShown]);

  return (
    <ErrorBoundary key={path.split("/", 3).join("/")}>
      {path === "/" ? (
        <Home />
      ) : address === null ? (
        <OtherScreens />
      ) : (
        <InWorkspace key={address.slug} slug={address.slug} onShown={onShown} />
      )}
    </ErrorBoundary>
  );
}

/** To the last workspace one is still in, else to any; else to where one gets in. */
function Home(): ReactElement {
  const session = useView(useClient().account.session);
  if (session.state === "nobody") return <Redirect to={WELCOME} />;
  const last = lastWorkspace();
  const workspace = session.workspaces.find(({ slug }) => slug === last) ?? session.workspaces[0];
  return <Redirect to={workspace === undefined ? SETUP : workspacePath(workspace.slug)} />;
}

interface InWorkspaceProps extends AppProps {
  readonly slug: string;
}

function InWorkspace({ slug, onShown }: InWorkspaceProps): ReactElement {
  const client = useClient();
  const session = useView(client.account.session);
  const path = usePath();
  const opened = session.state === "nobody" ? null : client.open(slug);

  useEffect(() => {
    if (opened === null) onShown();
    else rememberPlace(slug, null);
  }, [opened, slug, onShown]);

  if (session.state === "nobody") return <Redirect to={withNext(SIGN_IN, path + location.search)} />;
  if (opened === null) return <OtherScreens />;
  return (
    <PlaceContext value={{ slug, client: opened }}>
      {/* Nothing that one person's screens hold is shown to another who signs in here. */}
      <Workspace key={session.person.user} onShown={onShown} />
    </PlaceContext>
  );
}
