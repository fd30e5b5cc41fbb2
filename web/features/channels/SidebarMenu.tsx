// The two menus of the sidebar, in one piece: whoever opens one has both.
import type { ReactElement } from "react";
import type { WorkspaceSnapshot } from "../../store/snapshots.ts";
import { AccountMenu } from "./AccountMenu.tsx";
import type { OpenDialog } from "./Sidebar.tsx";
import { WorkspaceMenu } from "./WorkspaceMenu.tsx";

interface SidebarMenuProps {
  readonly of: "workspace" | "account";
  readonly workspace: WorkspaceSnapshot;
  readonly close: () => void;
  readonly onOpen: (dialog: OpenDialog) => void;
}

export function SidebarMenu({ of, workspace, close, onOpen }: SidebarMenuProps): ReactElement {
  return of === "account" ? (
    <AccountMenu close={close} onOpen={onOpen} />
  ) : (
    <WorkspaceMenu workspace={workspace} close={close} onOpen={onOpen} />
  );
}
