// One's own things: theme, settings, sync status, an update that waits, signing out.
import type { ReactElement } from "react";
import { navigate } from "../navigation.tsx";
import { appearance, setAppearance } from "../../ui/choose-appearance.ts";
import type { Theme } from "../../ui/appearance.ts";
import { InstallIcon, LeaveIcon, MoonIcon, RefreshIcon, ScreenIcon, SunIcon } from "../../ui/icons-more.tsx";
import { install, installOffer } from "../../ui/install.ts";
import { MenuItems, type MenuAction } from "../../ui/Menu.tsx";
import { s } from "../../ui/strings-more.ts";
import { APPEARANCE, OFFLINE, STATUS } from "../paths-more.ts";
import { useClient, usePlace, useView } from "../services.ts";
import type { OpenDialog } from "./Sidebar.tsx";

interface AccountMenuProps {
  readonly close: () => void;
  readonly onOpen: (dialog: OpenDialog) => void;
}

const THEMES: readonly { readonly theme: Theme; readonly icon: ReactElement }[] = [
  { theme: "system", icon: <ScreenIcon /> },
  { theme: "light", icon: <SunIcon /> },
  { theme: "dark", icon: <MoonIcon /> },
];

export function AccountMenu({ close, onOpen }: AccountMenuProps): ReactElement {
  const client = useClient();
  const { client: here } = usePlace();
  const connection = useView(here.connection);
  const isOfflineByChoice = connection.state === "offline" && connection.isChosen === true;
  const update = useView(client.update);
  const { theme: current } = useView(appearance);
  const canInstall = useView(installOffer);
  const { account: says } = s;

  async function chooseOffline(on: boolean): Promise<void> {
    const chosen = await here.commands.workOffline(on);
    if (!chosen.ok) onOpen({ notChosen: chosen.error });
  }

  const themes = THEMES.map(({ theme, icon }) => ({
    label: says.theme[theme],
    icon,
    isChosen: theme === current,
    onSelect: () => setAppearance({ theme }),
  }));
  const updates: readonly MenuAction[] = update.isReady
    ? [{ label: says.update, icon: <RefreshIcon />, onSelect: client.applyUpdate }]
    : [];
  const settings: MenuAction[] = [
    { label: says.profile, onSelect: () => onOpen("profile") },
    { label: says.appearance, onSelect: () => navigate(APPEARANCE) },
    { label: says.offline, onSelect: () => navigate(OFFLINE) },
    { label: says.status, onSelect: () => navigate(STATUS) },
    {
      label: isOfflineByChoice ? says.goOnline : says.workOffline,
      onSelect: () => void chooseOffline(!isOfflineByChoice),
    },
  ];
  if (canInstall) settings.push({ label: says.install, icon: <InstallIcon />, onSelect: () => void install() });
  const leave = { label: says.signOut, icon: <LeaveIcon />, onSelect: () => onOpen("sign-out") };
  return <MenuItems groups={[updates, themes, settings, [leave]]} close={close} />;
}
