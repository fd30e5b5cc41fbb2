// What is said of this device's storage, in English: it loads with the page and the notices. Like strings.ts, for other
// languages.
import { pluralIn } from "./plural.ts";

const plural = pluralIn("en");

/** Beside each other where one knows it. */
interface Held {
  readonly channels: number;
  readonly messages: number;
  readonly size: string | null;
  readonly since: string | null;
}

const english = {
  title: "Offline and storage",
  held: "On this device",
  loading: "Looking at what is here.",
  nothing: "Nothing is on this device yet.",
  /** "12 channels, 48,312 messages, 86 MB on this device, complete since 14:32 on 12 March 2023" */
  sentence: ({ channels, messages, size, since }: Held) =>
    [
      plural(channels, { one: "# channel", other: "# channels" }),
      plural(messages, { one: "# message", other: "# messages" }),
      `${size === null ? "" : `${size} `}on this device`.trim(),
      ...(since === null ? [] : [`complete since ${since}`]),
    ].join(", "),
  clockOn: (clock: string, day: string) => `${clock} on ${day}`,
  ofWorkspace: (name: string) => `Channels and messages are those of ${name}; the size is of all your workspaces.`,
  counted: "Counted with what was deleted and with lines such as “Ana joined”, which Search leaves out.",
  protection: { yes: "storage protected", no: "storage not protected", unknown: null } as Readonly<
    Record<"yes" | "no" | "unknown", string | null>
  >,
  done: "All that you keep is here. It can be read without a network.",
  filling: (done: number, of: number, left: number) =>
    `Filling: ${done} of ${plural(of, { one: "# channel", other: "# channels" })}, about ${plural(left, { one: "# message", other: "# messages" })} to go.`,
  paused: {
    offline: "Paused: no connection. It goes on by itself.",
    chosen: "Paused: you chose to work offline. It goes on when you go back online.",
    "signed-out": "Paused: your session has ended. It goes on when you have signed in again.",
    misconfigured: "Paused: sign-in is misconfigured. It goes on by itself when that is mended.",
    refused: "Paused: this workspace doesn't let you in. It goes on if it does again.",
    outdated: "Paused: Causeway was updated. It goes on when you have reloaded.",
    space: "Paused: this device is short of space. What you write goes first. Keep less below, or free some space.",
    cap: "Paused: as much is here as you allow. Allow more below to keep more.",
    saving: "Paused: data saver is on.",
    metered: "Paused: metered connection.",
    slow: "Paused: the connection is slow.",
    "asked-to-wait": "Paused: the server asked to wait. It goes on by itself.",
    hidden: "Paused while nobody is looking.",
    busy: "",
  },
  left: (done: number, of: number, left: number) =>
    `${done} of ${plural(of, { one: "# channel is", other: "# channels are" })} here; about ${plural(left, { one: "# message", other: "# messages" })} to go.`,
  fillNow: "Fill now",
  /** Of a message that a link leads to. */
  linked: {
    notHere: "That message isn't on this device and can't be fetched now.",
    /** All of where it may stand was looked through. */
    notFound: "That message wasn't found in this channel. The link may have been cut off.",
    comes: "That message isn't on this device yet. What is missing is being fetched, and it's shown once it is here.",
    waits: (why: string) =>
      `That message isn't on this device yet, and what is missing isn't fetched now: ${why}. More under “Offline and storage”.`,
    why: {
      offline: "there is no connection",
      chosen: "you chose to work offline",
      "signed-out": "you're signed out",
      misconfigured: "sign-in is misconfigured",
      refused: "this workspace doesn't let you in",
      outdated: "Causeway was updated, and you haven't reloaded",
      space: "this device is short of space",
      cap: "as much is here as you allow",
      saving: "data saver is on",
      metered: "the connection is metered",
      slow: "the connection is slow",
      "asked-to-wait": "the server asked to wait",
      hidden: "nobody has looked for a while",
      busy: "something else goes first",
    },
  },

  keep: "How much to keep",
  keepText: "Older messages leave this device, never the room. What you haven't sent always stays.",
  days: (days: number | null) =>
    days === null ? "Everything" : days === 0 ? "The newest only" : days === 365 ? "One year" : `${days} days`,
  history: "History",
  cap: "All channels together",
  anySize: "As much as the browser gives",
  upTo: (size: string) => `Up to ${size}`,

  protect: "Protection",
  protected: "The browser has agreed not to clear this storage by itself.",
  unprotected:
    "When space runs out, the browser may clear this storage, and with it what you haven't sent. Ask it not to.",
  unknown: "This browser doesn't say whether it may clear this storage.",
  ask: "Ask the browser to protect this storage",
  refused: "The browser said no for now. Installing Causeway, or using it more often, usually changes its mind.",

  channels: "Channels",
  messages: (count: number) => plural(count, { one: "# message", other: "# messages" }),
  complete: "Complete since",
  whole: "the beginning",
  none: "Not here yet",
  toGo: (left: number) => plural(left, { one: "about # to go", other: "about # to go" }),
  asOthers: (days: string) => `As above (${days.toLowerCase()})`,
  limitOf: (channel: string) => `Keep of #${channel}`,
  notKept: (why: string) => `${why} What you chose can't be kept here, so nothing was changed.`,

  notice: "Storage",
  says: {
    memory: "This browser keeps nothing (private mode?). What isn't delivered is lost when you close it.",
    wiped:
      "This browser's data for Causeway was cleared. What you hadn't sent was still in this tab and is stored again; messages come back from the server.",
    short:
      "This device is out of space. Older messages make way for what you write; they stay with the server. Free some space, or keep less here.",
    full: "This device is out of space, and what you write can't be stored: it stays where you write it. Free some space, or keep less here.",
  },
  keepLess: "Choose what to keep",
  dismiss: "Dismiss",
};

export const o: typeof english = english;
