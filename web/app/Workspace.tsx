// The frame of every workspace screen: the sidebar, and beside it the channel or screen. On a phone one at a time.
import { useEffect, useState, type ReactElement, type ReactNode } from "react";
import { Redirect, usePath } from "../features/navigation.tsx";
import type { ChannelId, MessageId } from "#protocol/ids.ts";
import { NotLoaded } from "../features/NotLoaded.tsx";
import { browsePath, channelPath, readAddress, workspacePath } from "../features/paths.ts";
import { useClient, usePlace, useView } from "../features/services.ts";
import { PeopleContext } from "../features/timeline/people.ts";
import type { ChannelsSnapshot, WorkspaceSnapshot } from "../store/snapshots.ts";
import { ErrorBoundary } from "../ui/ErrorBoundary.tsx";
import { usePhone } from "../ui/media.ts";
import { later } from "../ui/later.tsx";
import { ChannelScreen } from "./ChannelScreen.tsx";
import { isFromDevice } from "./from-device.ts";
import { lastChannel } from "./last-place.ts";
import styles from "./Workspace.module.css";

const history = (): Promise<unknown> =>
  Promise.allSettled([import("./ChannelTimeline.tsx"), import("../features/timeline/markdown/render-markdown.tsx")]);
// Over a line it comes behind the composer (ChannelScreen.tsx); from the device, while the database is being opened.
if (isFromDevice) void history();

/** On a slow line one wants to read where one is before one goes elsewhere: so it comes behind the channel's history. */
const Sidebar = later(async () => {
  if (readAddress(location.pathname)?.screen === "c") await history();
  return import("../features/channels/Sidebar.tsx");
}, "Sidebar");
const BehindWorkspace = later(() => import("./BehindWorkspace.tsx"), "BehindWorkspace");
const UpdateBar = later(() => import("./UpdateBar.tsx"), "UpdateBar");
const WorkspaceScreens = later(() => import("./WorkspaceScreens.tsx"), "WorkspaceScreens", NotLoaded);

interface WorkspaceProps {
  readonly onShown: () => void;
}

export function Workspace({ onShown }: WorkspaceProps): ReactElement {
  const { client } = usePlace();
  const workspace = useView(client.workspace);
  const { isNeeded, notice } = useView(useClient().update);
  const bar = (isNeeded || notice !== null) && <UpdateBar />;
  // Loading from disk takes a frame or two: a flash of anything would only be noise.
  if (workspace.state === "loading")
    return (
      <div className={styles.frame} aria-busy="true">
        {bar}
      </div>
    );
  return (
    <PeopleContext value={workspace.value.members}>
      <Frame workspace={workspace.value} bar={bar} onShown={onShown} />
    </PeopleContext>
  );
}

interface FrameProps extends WorkspaceProps {
  readonly workspace: WorkspaceSnapshot;
  /** What must be known below all else. */
  readonly bar: ReactNode;
}

function Frame({ workspace, bar, onShown }: FrameProps): ReactElement {
  const { slug, client } = usePlace();
  const channels = useView(client.channels);
  const isPhone = usePhone();
  const path = usePath();
  const home = workspacePath(slug);
  const { screen, rest } = readAddress(path) ?? { screen: "", rest: [] };
  const [current = null, message = null] = screen === "c" ? (rest as readonly [ChannelId?, MessageId?]) : [];
  const rows = channels.state === "ready" ? channels.value : null;
  // With all that is on disk, unless the directory still has to come. What runs behind the first screen would hold up
  // a channel's history, so that tells by itself; over a line its code is still to come, and nothing waits for it.
  useEffect(() => {
    if (current === null || !isFromDevice) onShown();
  }, [current, onShown]);

  const [isAsking, setAsking] = useState(false);
  const sidebar = <Sidebar workspace={workspace} current={current} path={path} onAsking={setAsking} />;

  return (
    <div className={styles.frame}>
      <BehindWorkspace workspace={workspace} channels={rows} current={current} />
      {(!isPhone || path === home || isAsking) && sidebar}
      {(!isPhone || path !== home) && (
        <main className={styles.main}>
          <ErrorBoundary key={current ?? path}>
            {current !== null ? (
              <ChannelScreen key={current} id={current} target={message} {...{ workspace, onShown }} />
            ) : screen === "" || screen === "start" ? (
              rows !== null && <ToLastChannel channels={rows} />
            ) : (
              <WorkspaceScreens screen={screen} workspace={workspace} />
            )}
          </ErrorBoundary>
        </main>
      )}
      {bar}
    </div>
  );
}

/**
 * The last one visited that one is still in, else #general, else any; else to where one finds some, once it is sure that
 * there is none: a device that has just joined hasn't heard of them yet.
 */
function ToLastChannel({ channels }: { readonly channels: ChannelsSnapshot }): ReactElement | null {
  const { slug, client } = usePlace();
  const isLive = useView(client.connection).state === "live";
  const joined = channels.channels.filter((row) => row.isJoined && !row.isArchived);
  const last = lastChannel(slug);
  const to = joined.find(({ id }) => id === last) ?? joined.find(({ name }) => name === "general") ?? joined[0];
  if (to !== undefined) return <Redirect to={channelPath(slug, to.id)} />;
  return isLive ? <Redirect to={browsePath(slug)} /> : null;
}
