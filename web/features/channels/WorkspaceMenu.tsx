// What one does with a workspace as a whole, and the way to one's others.
import type { ReactElement } from "react";
import { navigate } from "../navigation.tsx";
import type { WorkspaceSnapshot } from "../../store/snapshots.ts";
import { CompassIcon, PlusIcon } from "../../ui/icons-sidebar.tsx";
import { PersonAddIcon } from "../../ui/icons-more.tsx";
import { MenuItems, type MenuAction } from "../../ui/Menu.tsx";
import { s } from "../../ui/strings-more.ts";
import { browsePath, SETUP, workspacePath } from "../paths.ts";
import { useClient, useView } from "../services.ts";
import type { OpenDialog } from "./Sidebar.tsx";

interface WorkspaceMenuProps {
  readonly workspace: WorkspaceSnapshot;
  readonly close: () => void;
  readonly onOpen: (dialog: OpenDialog) => void;
}

export function WorkspaceMenu({ workspace, close, onOpen }: WorkspaceMenuProps): ReactElement {
  const session = useView(useClient().account.session);
  const { ref, mayInvite, mayCreatePublic, mayCreatePrivate } = workspace;
  const others = session.state === "nobody" ? [] : session.workspaces.filter(({ id }) => id !== ref.id);
  const { workspaceMenu: says } = s;
  const here: MenuAction[] = [
    { label: says.browse, icon: <CompassIcon />, onSelect: () => navigate(browsePath(ref.slug)) },
  ];
  if (mayCreatePublic || mayCreatePrivate) {
    here.unshift({ label: says.createChannel, icon: <PlusIcon />, onSelect: () => onOpen("create-channel") });
  }
  if (mayInvite) here.unshift({ label: says.invite, icon: <PersonAddIcon />, onSelect: () => onOpen("invite") });
  const elsewhere: readonly MenuAction[] = [
    ...others.map(({ slug, name }) => ({ label: says.switchTo(name), onSelect: () => navigate(workspacePath(slug)) })),
    { label: says.create, onSelect: () => navigate(SETUP) },
  ];
  return <MenuItems groups={[here, elsewhere]} close={close} />;
}
