// The icons of the sidebar, which comes behind the messages.
import { draw, path } from "./icons.tsx";

export const PlusIcon = path("M8 3v10M3 8h10");
export const OutboxIcon = path(
  "M2.5 9.5v2.7c0 .7.6 1.3 1.3 1.3h8.4c.7 0 1.3-.6 1.3-1.3V9.5M8 10.5v-8M4.8 5.5 8 2.3l3.2 3.2",
);
export const SearchIcon = path("M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.3 10.3l3.4 3.4");
export const CompassIcon = draw(
  <>
    <circle cx="8" cy="8" r="5.8" />
    <path d="m10.3 5.7-1.4 3.2-3.2 1.4 1.4-3.2z" />
  </>,
);
export const DownIcon = path("m4 6.2 4 4 4-4");
