// The dialogs that the sidebar's menus open.
import type { ReactElement } from "react";
import type { WorkspaceSnapshot } from "../../store/snapshots.ts";
import { CreateChannel } from "./CreateChannel.tsx";
import { InvitePeople } from "./InvitePeople.tsx";
import { NotChosen } from "./NotChosen.tsx";
import { Profile } from "./Profile.tsx";
import type { OpenDialog } from "./Sidebar.tsx";
import { SignOut } from "./SignOut.tsx";

interface SidebarDialogProps {
  readonly dialog: OpenDialog;
  readonly workspace: WorkspaceSnapshot;
  readonly onClose: () => void;
}

export function SidebarDialog({ dialog, workspace, onClose }: SidebarDialogProps): ReactElement {
  if (typeof dialog === "object") return <NotChosen why={dialog.notChosen} onClose={onClose} />;
  switch (dialog) {
    case "invite":
      return <InvitePeople workspace={workspace} onClose={onClose} />;
    case "create-channel":
      return <CreateChannel workspace={workspace} onClose={onClose} />;
    case "profile":
      return <Profile me={workspace.me} onClose={onClose} />;
    case "sign-out":
      return <SignOut onClose={onClose} />;
  }
}
