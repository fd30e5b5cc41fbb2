// The screens of a workspace besides its channels.
import type { ReactElement } from "react";
import { Redirect } from "../features/navigation.tsx";
import { Browse } from "../features/channels/Browse.tsx";
import { NotLoaded } from "../features/NotLoaded.tsx";
import { Outbox } from "../features/outbox/Outbox.tsx";
import { workspacePath } from "../features/paths.ts";
import type { WorkspaceSnapshot } from "../store/snapshots.ts";
import { later } from "../ui/later.tsx";

const SearchScreen = later(() => import("../features/search/SearchScreen.tsx"), "SearchScreen", NotLoaded);

interface WorkspaceScreensProps {
  readonly screen: string;
  readonly workspace: WorkspaceSnapshot;
}

export function WorkspaceScreens({ screen, workspace }: WorkspaceScreensProps): ReactElement {
  switch (screen) {
    case "browse":
      return <Browse workspace={workspace} />;
    case "search":
      return <SearchScreen workspace={workspace} />;
    case "outbox":
      return <Outbox />;
    default:
      return <Redirect to={workspacePath(workspace.ref.slug)} />;
  }
}
