// Every screen outside a workspace: getting in, one's settings, the sync status, and what isn't there.
import type { ReactElement } from "react";
import { Route, Switch } from "wouter";
import { PlaceContext, useClient, useView } from "../features/services.ts";
import { Appearance } from "../features/settings/Appearance.tsx";
import { Join } from "../features/sign-in/Join.tsx";
import { Setup } from "../features/sign-in/Setup.tsx";
import { SignIn } from "../features/sign-in/SignIn.tsx";
import { SignUp } from "../features/sign-in/SignUp.tsx";
import { Welcome } from "../features/sign-in/Welcome.tsx";
import { Status } from "../features/status/Status.tsx";
import { lastWorkspace } from "./last-place.ts";
import { NotFound } from "./NotFound.tsx";
import { NoWorkspace } from "./NoWorkspace.tsx";

export function OtherScreens(): ReactElement {
  return (
    <Switch>
      <Route path="/welcome" component={Welcome} />
      <Route path="/setup" component={Setup} />
      <Route path="/sign-in" component={SignIn} />
      <Route path="/sign-up" component={SignUp} />
      <Route path="/join/:code">{({ code }) => <Join key={code} code={code} />}</Route>
      <Route path="/me/appearance" component={Appearance} />
      <Route path="/status" component={LastStatus} />
      <Route path="/w/:ws/*?" component={NoWorkspace} />
      <Route component={NotFound} />
    </Switch>
  );
}

/** The sync status is a workspace's: the one on screen before, else the first. */
function LastStatus(): ReactElement {
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
