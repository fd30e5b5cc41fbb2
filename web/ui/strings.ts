// What is said around the composer, in English. Another language is a file of its own with an object of the same type,
// chosen here before the first render. What the sidebar, the messages and other screens say stands in the other
// strings-*.ts.
import { pluralIn } from "./plural.ts";

const plural = pluralIn("en");

const english = {
  close: "Close",
  someone: "someone",
  broken: {
    title: "This part of the app broke",
    text: "Reload to go on. What you wrote is kept. Sync status has a report.",
    reload: "Reload",
  },
  /** Why is said by the bar. */
  updated: { title: "An update replaced this screen", text: "Reload to go on. What you wrote is kept." },
  notLoaded: {
    title: "This isn't on this device yet",
    text: "It has to be fetched. Try again online.",
  },

  channel: {
    menu: "Channel menu",
    members: (count: number, here = 0) =>
      plural(count, { one: "# member", other: "# members" }) +
      (here > 0 ? `, ${plural(here, { one: "# here", other: "# here" })}` : ""),
    allChannels: "All channels",
  },

  composer: {
    label: (channel: string) => `Message ${channel}`,
    send: "Send",
  },
};

export type Strings = typeof english;

export const t: Strings = english;
