// The timeline with what its messages' actions do here: nothing one writes with, so it comes behind the composer.
import { useMemo, type ComponentProps, type ReactElement } from "react";
import { Timeline } from "../features/timeline/Timeline.tsx";
import { messageActions, type ActionsAround } from "./channel-actions.ts";

interface ChannelTimelineProps extends Omit<ComponentProps<typeof Timeline>, "actions"> {
  /** The same object while nothing of it changes: each message compares what is made of it. */
  readonly around: ActionsAround;
}

export function ChannelTimeline({ around, ...props }: ChannelTimelineProps): ReactElement {
  const actions = useMemo(() => messageActions(around), [around]);
  return <Timeline {...props} actions={actions} />;
}
