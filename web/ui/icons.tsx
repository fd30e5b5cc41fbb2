// Our own small icon set: 16 px grid, 1.5 px strokes, drawn in the colour of the text. Always decorative: the control
// that holds an icon carries the name. Those of the messages and the sidebar stand in icons-beside.tsx and
// icons-sidebar.tsx, those that only later screens use in icons-more.tsx.
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

export const path = (d: string): Icon => draw(<path d={d} />);
export const HashIcon = path("M6.5 2.5 5 13.5M11 2.5 9.5 13.5M2.8 5.8h11M2.2 10.2h11");
export const LockIcon = draw(
  <>
    <rect x="3" y="7" width="10" height="6.5" rx="1.5" />
    <path d="M5.2 7V5a2.8 2.8 0 0 1 5.6 0v2" />
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
export const SendIcon = path("M2.8 3.2 13.5 8 2.8 12.8 4.4 8zM4.4 8h4.4");
