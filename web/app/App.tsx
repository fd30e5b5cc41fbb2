// The routes (product, point 2) and what each needs before it can show: a person, a workspace, its code.
import { lazy, Suspense, useEffect, type ReactElement } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { SIGN_IN, WELCOME, withNext, workspacePath } from "../features/paths.ts";
import { PlaceContext, useClient, useView } from "../features/services.ts";
import { ErrorBoundary } from "../ui/ErrorBoundary.tsx";
import { lastWorkspace, rememberPlace } from "./last-place.ts";
import { Workspace } from "./Workspace.tsx";

const Welcome = lazy(async () => ({ default: (await import("../features/sign-in/Welcome.tsx")).Welcome }));
const Setup = lazy(async () => ({ default: (await import("../features/sign-in/Setup.tsx")).Setup }));
const SignIn = lazy(async () => ({ default: (await import("../features/sign-in/SignIn.tsx")).SignIn }));
const SignUp = lazy(async () => ({ default: (await import("../features/sign-in/SignUp.tsx")).SignUp }));
const Join = lazy(async () => ({ default: (await import("../features/sign-in/Join.tsx")).Join }));
const Appearance = lazy(async () => ({ default: (await import("../features/settings/Appearance.tsx")).Appearance }));
const Status = lazy(async () => ({ default: (await import("../features/status/Status.tsx")).Status }));
const NotFound = lazy(async () => ({ default: (await import("./NotFound.tsx")).NotFound }));
const NoWorkspace = lazy(async () => ({ default: (await import("./NoWorkspace.tsx")).NoWorkspace }));

export function App(): ReactElement {
  const [path] = useLocation();
  return (
    <ErrorBoundary key={path.split("/", 3).join("/")}>
      <Suspense fallback={null}>
        <Switch>
          <Route path="/">
            <Home />
          </Route>
          <Route path="/welcome">
            <Welcome />
          </Route>
          <Route path="/setup">
            <Setup />
          </Route>
          <Route path="/sign-in">
            <SignIn />
          </Route>
          <Route path="/sign-up">
            <SignUp />
          </Route>
          <Route path="/join/:code">{({ code }) => <Join key={code} code={code} />}</Route>
          <Route path="/w/:ws/*?">{({ ws }) => <InWorkspace key={ws} slug={ws} />}</Route>
          <Route path="/me/appearance">
            <Appearance />
          </Route>
          <Route path="/status">
            <InLastWorkspace />
          </Route>
          <Route>
            <NotFound />
          </Route>
        </Switch>
      </Suspense>
    </ErrorBoundary>
  );
}

/** To the last workspace one is still in, else to any; else to where one gets in. */
function Home(): ReactElement {
  const session = useView(useClient().account.session);
  if (session.state === "nobody") return <Redirect to={WELCOME} replace />;
  const last = lastWorkspace();
  const workspace = session.workspaces.find(({ slug }) => slug === last) ?? session.workspaces[0];
  return <Redirect to={workspace === undefined ? "/setup" : workspacePath(workspace.slug)} replace />;
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
  if (opened === null) return <NoWorkspace />;
  return (
    <PlaceContext value={{ slug, client: opened }}>
      <Workspace />
    </PlaceContext>
  );
}

/** The sync status is a workspace's: the one on screen before. */
function InLastWorkspace(): ReactElement {
  const client = useClient();
  const session = useView(client.account.session);
  const workspaces = session.state === "nobody" ? [] : session.workspaces;
  const slug = lastWorkspace() ?? workspaces[0]?.slug ?? "";
  const opened = session.state === "nobody" ? null : client.open(slug);
  if (opened === null) return <NoWorkspace />;
  return (
    <PlaceContext value={{ slug, client: opened }}>
      <Status />
    </PlaceContext>
  );
}
