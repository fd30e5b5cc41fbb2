// Icons of menus, dialogs and screens that load after the channel.
import { draw, type Icon } from "./icons.tsx";

export const ArchiveIcon: Icon = draw(
  <path d="M2.3 3h11.4v3H2.3zM3.3 6v6.2c0 .4.3.8.8.8h7.8c.5 0 .8-.4.8-.8V6M6.5 8.8h3" />,
);
export const LeaveIcon: Icon = draw(
  <path d="M6.5 13.2H3.8c-.6 0-1-.4-1-1V3.8c0-.6.4-1 1-1h2.7M10.3 11l3-3-3-3M13.3 8H6.2" />,
);
export const SunIcon: Icon = draw(
  <>
    <circle cx="8" cy="8" r="2.8" />
    <path d="M8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9" />
  </>,
);
export const MoonIcon: Icon = draw(<path d="M13.3 9.6A5.6 5.6 0 0 1 6.4 2.7a5.6 5.6 0 1 0 6.9 6.9Z" />);
export const ScreenIcon: Icon = draw(
  <>
    <rect x="2" y="3" width="12" height="8" rx="1.3" />
    <path d="M5.5 13.5h5" />
  </>,
);
export const InstallIcon: Icon = draw(
  <path d="M8 2.5v7.2M5 7l3 3 3-3M2.8 11.2v1c0 .7.6 1.3 1.3 1.3h7.8c.7 0 1.3-.6 1.3-1.3v-1" />,
);
export const RefreshIcon: Icon = draw(<path d="M13.2 8a5.2 5.2 0 1 1-1.6-3.8M13.3 2.5v2.6h-2.6" />);
export const PersonAddIcon: Icon = draw(
  <path d="M6.3 7.7a2.4 2.4 0 1 0 0-4.8 2.4 2.4 0 0 0 0 4.8ZM1.8 13.3a4.5 4.5 0 0 1 9 0M12.5 5.5v4M10.5 7.5h4" />,
);
export const CopyIcon: Icon = draw(
  <>
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
    <path d="M10.5 3.8v-.3c0-.6-.4-1-1-1h-6c-.6 0-1 .4-1 1v6c0 .6.4 1 1 1h.3" />
  </>,
);
export const LinkIcon: Icon = draw(
  <path d="M6.6 9.4a2.8 2.8 0 0 0 4 0l2.2-2.2a2.8 2.8 0 0 0-4-4l-.7.7M9.4 6.6a2.8 2.8 0 0 0-4 0L3.2 8.8a2.8 2.8 0 0 0 4 4l.7-.7" />,
);
export const UnreadIcon: Icon = draw(
  <>
    <path d="M9 3H3.8c-.6 0-1 .4-1 1v8.2c0 .6.4 1 1 1H12c.6 0 1-.4 1-1V7" />
    <circle cx="12.6" cy="3.4" r="1.6" fill="currentColor" stroke="none" />
  </>,
);
export const TrashIcon: Icon = draw(
  <path d="M2.8 4.3h10.4M6.2 4.3V2.8h3.6v1.5M4.2 4.3l.5 8.9h6.6l.5-8.9M6.7 7v3.6M9.3 7v3.6" />,
);
export const MuteIcon: Icon = draw(
  <path d="M3.2 11.2h9.6c-1-1-1.3-2-1.3-4.2a3.5 3.5 0 0 0-7 0c0 2.2-.3 3.2-1.3 4.2ZM6.8 13.3h2.4M2.8 2.8l10.4 10.4" />,
);
export const StarIcon: Icon = draw(<path d="m8 2.2 1.8 3.7 4 .6-2.9 2.8.7 4L8 11.4l-3.6 1.9.7-4-2.9-2.8 4-.6z" />);
export const SmileIcon: Icon = draw(
  <>
    <circle cx="8" cy="8" r="5.8" />
    <path d="M5.5 9.4a3 3 0 0 0 5 0M6 6.2v.4M10 6.2v.4" />
  </>,
);
