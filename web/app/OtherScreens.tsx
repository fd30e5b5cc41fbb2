// Every screen outside a workspace: getting in, one's settings, the sync status, and what isn't there.
import type { ReactElement, ReactNode } from "react";
import { usePath } from "../features/navigation.tsx";
import { APPEARANCE, OFFLINE, readJoinPath, SIGN_UP, STATUS } from "../features/paths-more.ts";
import { readAddress, SETUP, SIGN_IN, WELCOME } from "../features/paths.ts";
import { PlaceContext, useClient, useView, type Place } from "../features/services.ts";
import { NotLoaded } from "../features/NotLoaded.tsx";
import { Appearance } from "../features/settings/Appearance.tsx";
import { Join } from "../features/sign-in/Join.tsx";
import { Setup } from "../features/sign-in/Setup.tsx";
import { SignIn } from "../features/sign-in/SignIn.tsx";
import { SignUp } from "../features/sign-in/SignUp.tsx";
import { Welcome } from "../features/sign-in/Welcome.tsx";
import { Status } from "../features/status/Status.tsx";
import { later } from "../ui/later.tsx";
import { lastWorkspace } from "./last-place.ts";
import { NotFound } from "./NotFound.tsx";
import { NoWorkspace } from "./NoWorkspace.tsx";
import { TabMark } from "./TabMark.tsx";

const Offline = later(() => import("../features/settings/Offline.tsx"), "Offline", NotLoaded);

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
      return (
        <>
          <MarkOfLast />
          <Appearance />
        </>
      );
    case OFFLINE:
      return (
        <OfLastWorkspace>
          <Offline />
        </OfLastWorkspace>
      );
    case STATUS:
      return (
        <OfLastWorkspace>
          <Status />
        </OfLastWorkspace>
      );
    default:
      return readAddress(path) === null ? <NotFound /> : <NoWorkspace />;
  }
}

/** What is a workspace's, though its address names none. */
function OfLastWorkspace({ children }: { readonly children: ReactNode }): ReactElement {
  const place = useLastPlace();
  if (place === null) return <NoWorkspace />;
  return (
    <PlaceContext value={place}>
      <Mark client={place.client} />
      {children}
    </PlaceContext>
  );
}

/** The one on screen before, else the first. */
function useLastPlace(): Place | null {
  const client = useClient();
  const session = useView(client.account.session);
  if (session.state === "nobody") return null;
  const last = lastWorkspace();
  const { slug = "" } = session.workspaces.find((each) => each.slug === last) ?? session.workspaces[0] ?? {};
  const opened = client.open(slug);
  return opened === null ? null : { slug, client: opened };
}

function MarkOfLast(): ReactElement | null {
  const place = useLastPlace();
  return place === null ? null : <Mark client={place.client} />;
}

/** What is unread is so beside a workspace too. */
function Mark({ client }: Pick<Place, "client">): ReactElement | null {
  const workspace = useView(client.workspace);
  const channels = useView(client.channels);
  if (workspace.state !== "ready" || channels.state !== "ready") return null;
  return <TabMark channels={channels.value} here={undefined} workspace={workspace.value.ref.name} />;
}
