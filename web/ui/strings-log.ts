// What the event log says, in English: one sentence for each thing that happens. Like strings.ts, for other languages.
import { pluralIn } from "./plural.ts";

const plural = pluralIn("en");
const changes = (count: number): string => plural(count, { one: "# change", other: "# changes" });

/** What a line is about, as its sentence needs it. */
export interface LineParts {
  readonly count: number;
  readonly detail: string;
}

type Line = (parts: LineParts) => string;

const more = (detail: string): string => (detail === "" ? "" : ` (${detail})`);

const sentences: Readonly<Record<string, Line>> = {
  live: () => "Live: everything is up to date",
  "catching-up": () => "Catching up",
  connecting: () => "Connecting",
  reconnecting: () => "The connection broke; reconnecting",
  offline: () => "Offline: nothing answers",
  "offline-chosen": () => "Offline: you chose to work offline",
  "signed-out": () => "The session ended",
  misconfigured: ({ detail }) => `Sign-in is misconfigured${more(detail)}`,
  refused: ({ detail, count }) => `${changes(count)} refused${more(detail)}`,
  "not-let-in": ({ detail }) => `The workspace doesn't let this device in${more(detail)}`,
  closed: ({ detail, count }) => `${plural(count, { one: "# link", other: "# links" })} closed${more(detail)}`,
  "said-online": () => "The browser says: online",
  "said-offline": () => "The browser says: offline",
  queued: ({ detail, count }) => `${changes(count)} queued${more(detail)}`,
  sent: ({ detail, count }) => `${changes(count)} sent${more(detail)}`,
  delivered: ({ detail, count }) => `${changes(count)} delivered${more(detail)}`,
  "tried-again": ({ detail, count }) => `${changes(count)} tried again${more(detail)}`,
  renumbered: ({ detail, count }) => `${changes(count)} numbered anew${more(detail)}`,
  discarded: ({ detail, count }) => `${changes(count)} discarded${more(detail)}`,
  "taken-back": ({ detail, count }) => `${changes(count)} taken back or merged${more(detail)}`,
  stored: ({ count }) => `${plural(count, { one: "# message", other: "# messages" })} stored`,
  restored: ({ count }) =>
    `${plural(count, { one: "# channel was", other: "# channels were" })} restored to an earlier state: what was written there since then is gone`,
  full: () => "The device is full: older history makes way",
  "made-room": () => "Older history made way",
  broken: () => "What is stored couldn't be read",
  "unsent-gone": ({ count }) => `The browser's data was cleared, with ${changes(count)} not sent yet`,
  leading: ({ detail }) => `A tab began to sync${more(detail)}`,
  delivering: () => "The browser woke the app to deliver what waits",
  "update-ready": () => "A newer build is ready",
};

const english = {
  title: "Event log",
  lead: "What happened here lately. It holds counts and ids, never what was written.",
  show: "Show",
  kinds: {
    all: "Everything",
    connection: "Connection",
    outbox: "Outbox",
    sync: "What came",
    storage: "Storage",
    app: "App",
  },
  none: "Nothing was noted yet.",
  list: "Events",
  /** One that a newer build noted is shown by its own name. */
  sentence: (what: string, parts: LineParts): string => sentences[what]?.(parts) ?? `${what}${more(parts.detail)}`,
  older: (count: number) => plural(count, { one: "Show # older line", other: "Show # older lines" }),
};

export const l: typeof english = english;
