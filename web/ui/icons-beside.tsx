// The icons of the sidebar and the messages, which come beside the composer.
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
export const ArrowDownIcon = path("M8 2.8v10M3.8 8.8 8 13l4.2-4.2");
export const SmileIcon = draw(
  <>
    <circle cx="8" cy="8" r="5.8" />
    <path d="M5.5 9.4a3 3 0 0 0 5 0M6 6.2v.4M10 6.2v.4" />
  </>,
);
export const ReplyIcon = path("M6.2 3.5 2.5 7.2l3.7 3.7M2.8 7.2h6.4a4.3 4.3 0 0 1 4.3 4.3v1");
export const PinIcon = path("M6 2.5h4L9.5 7l2.5 2H4l2.5-2zM8 9v4.5");
export const PencilIcon = path("m10.6 2.9 2.5 2.5-7.6 7.6-3.1.6.6-3.1zM9 4.5 11.5 7");
export const ClockIcon = draw(
  <>
    <circle cx="8" cy="8" r="5.8" />
    <path d="M8 4.8V8l2.2 1.6" />
  </>,
);
export const AlertIcon = draw(
  <>
    <circle cx="8" cy="8" r="5.8" />
    <path d="M8 4.8v3.6M8 11v.1" />
  </>,
);
