// A moment in text, which stays right when the day or the time zone becomes another.
import type { ReactElement } from "react";
import { exactTimeOf } from "./time.ts";
import { useToday } from "./today.ts";

interface TimeProps {
  /** Epoch ms. */
  readonly at: number;
  /** @param today its local midnight */
  readonly as: (at: number, today: number) => string;
}

export function Time({ at, as }: TimeProps): ReactElement {
  const today = useToday();
  return (
    <time dateTime={new Date(at).toISOString()} title={exactTimeOf(at)}>
      {as(at, today)}
    </time>
  );
}
