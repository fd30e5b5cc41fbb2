// Table `events`: the event log, a ring in the order noted.

/** Lines kept; a day at sea with a bad line is about as many. */
export const EVENTS_KEPT = 500;
