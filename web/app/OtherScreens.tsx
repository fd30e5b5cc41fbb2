// Every screen outside a workspace: getting in, one's settings, the sync status, and what isn't there.
import type { ReactElement } from "react";
import { usePath } from "../features/navigation.tsx";
import { APPEARANCE, readAddress, readJoinPath, SETUP, SIGN_IN, SIGN_UP, STATUS, WELCOME } from "../features/paths.ts";
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
  const path = usePath();
  const code = readJoinPath(path);
  if (code !== null) return <Join key={code} code={code} />;
  switch (path) {
    case WELCOME:
      return <Welcome />;
    case SETUP:
      return <Setup />;
    case SIGN_IN:
      return <SignIn />;
    case SIGN_UP:
      return <SignUp />;
    case APPEARANCE:
      return <Appearance />;
    case STATUS:
      return <LastStatus />;
    default:
      return readAddress(path) === null ? <NotFound /> : <NoWorkspace />;
  }
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
