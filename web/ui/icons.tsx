// Our own small icon set: 16 px grid, 1.5 px strokes, drawn in the colour of the text. Always decorative: the control
// that holds an icon carries the name. Icons that only lazily loaded screens use stand in icons-more.tsx.
import type { ReactElement, ReactNode } from "react";

export interface IconProps {
  readonly size?: number;
}

export type Icon = (props: IconProps) => ReactElement;

export function draw(children: ReactNode): Icon {
  return function Drawing({ size = 16 }: IconProps): ReactElement {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 16 16"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        {children}
      </svg>
    );
  };
}

const path = (d: string): Icon => draw(<path d={d} />);
export const HashIcon = path("M6.5 2.5 5 13.5M11 2.5 9.5 13.5M2.8 5.8h11M2.2 10.2h11");
export const LockIcon = draw(
  <>
    <rect x="3" y="7" width="10" height="6.5" rx="1.5" />
    <path d="M5.2 7V5a2.8 2.8 0 0 1 5.6 0v2" />
  </>,
);
export const PlusIcon = path("M8 3v10M3 8h10");
export const OutboxIcon = path(
  "M2.5 9.5v2.7c0 .7.6 1.3 1.3 1.3h8.4c.7 0 1.3-.6 1.3-1.3V9.5M8 10.5v-8M4.8 5.5 8 2.3l3.2 3.2",
);
export const CompassIcon = draw(
  <>
    <circle cx="8" cy="8" r="5.8" />
    <path d="m10.3 5.7-1.4 3.2-3.2 1.4 1.4-3.2z" />
  </>,
);
export const PeopleIcon = path(
  "M6 7.7a2.4 2.4 0 1 0 0-4.8 2.4 2.4 0 0 0 0 4.8ZM1.8 13.3a4.2 4.2 0 0 1 8.4 0M10.8 3.2a2.2 2.2 0 0 1 0 4.3M12 9.6a3.9 3.9 0 0 1 2.2 3.6",
);
export const MoreIcon = draw(
  <g fill="currentColor" stroke="none">
    <circle cx="3.2" cy="8" r="1.4" />
    <circle cx="8" cy="8" r="1.4" />
    <circle cx="12.8" cy="8" r="1.4" />
  </g>,
);
export const CloseIcon = path("m4 4 8 8M12 4l-8 8");
export const BackIcon = path("M10 3 5 8l5 5");
export const DownIcon = path("m4 6.2 4 4 4-4");
export const ArrowDownIcon = path("M8 2.8v10M3.8 8.8 8 13l4.2-4.2");
export const SendIcon = path("M2.8 3.2 13.5 8 2.8 12.8 4.4 8zM4.4 8h4.4");
export const BoldIcon = path("M4.5 2.8h4a2.5 2.5 0 0 1 0 5h-4zM4.5 7.8H9a2.7 2.7 0 0 1 0 5.4H4.5z");
export const ItalicIcon = path("M7 2.8h4.5M4.5 13.2H9M9.6 2.8 6.4 13.2");
export const CodeIcon = path("M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5");
export const SmileIcon = draw(
  <>
    <circle cx="8" cy="8" r="5.8" />
    <path d="M5.5 9.4a3 3 0 0 0 5 0M6 6.2v.4M10 6.2v.4" />
  </>,
);
export const ReplyIcon = path("M6.2 3.5 2.5 7.2l3.7 3.7M2.8 7.2h6.4a4.3 4.3 0 0 1 4.3 4.3v1");
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
