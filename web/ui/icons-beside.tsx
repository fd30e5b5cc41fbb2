// The icons of the messages, which come beside the composer; some stand in the sidebar too.
import { draw, path } from "./icons.tsx";

export const ArrowDownIcon = path("M8 2.8v10M3.8 8.8 8 13l4.2-4.2");
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
