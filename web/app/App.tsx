// The routes (product, point 2), in two halves: a workspace, which is here at once, and all else, which loads when asked
// for.
import { useEffect, type ReactElement } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { NotLoaded } from "../features/NotLoaded.tsx";
import { SETUP, SIGN_IN, WELCOME, withNext, workspacePath } from "../features/paths.ts";
import { PlaceContext, useClient, useView } from "../features/services.ts";
import { ErrorBoundary } from "../ui/ErrorBoundary.tsx";
import { later } from "../ui/later.tsx";
import { lastWorkspace, rememberPlace } from "./last-place.ts";
import { Workspace } from "./Workspace.tsx";

const OtherScreens = later(async () => (await import("./OtherScreens.tsx")).OtherScreens, NotLoaded);

export function App(): ReactElement {
  const [path] = useLocation();
  return (
    <ErrorBoundary key={path.split("/", 3).join("/")}>
      <Switch>
        <Route path="/w/:ws/*?">{({ ws }) => <InWorkspace key={ws} slug={ws} />}</Route>
        <Route path="/">
          <Home />
        </Route>
        <Route>
          <OtherScreens />
        </Route>
      </Switch>
    </ErrorBoundary>
  );
}

/** To the last workspace one is still in, else to any; else to where one gets in. */
function Home(): ReactElement {
  const session = useView(useClient().account.session);
  if (session.state === "nobody") return <Redirect to={WELCOME} replace />;
  const last = lastWorkspace();
  const workspace = session.workspaces.find(({ slug }) => slug === last) ?? session.workspaces[0];
  return <Redirect to={workspace === undefined ? SETUP : workspacePath(workspace.slug)} replace />;
}

function InWorkspace({ slug }: { readonly slug: string }): ReactElement {
  const client = useClient();
  const session = useView(client.account.session);
  const [path] = useLocation();
  const opened = session.state === "nobody" ? null : client.open(slug);

  useEffect(() => {
    if (opened !== null) rememberPlace(slug, null);
  }, [opened, slug]);

  if (session.state === "nobody") return <Redirect to={withNext(SIGN_IN, path)} replace />;
  if (opened === null) return <OtherScreens />;
  return (
    <PlaceContext value={{ slug, client: opened }}>
      <Workspace />
    </PlaceContext>
  );
}
