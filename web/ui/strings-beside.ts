// What the sidebar and the messages say, which come beside the composer, in English. Like strings.ts, for other languages.
import { pluralIn } from "./plural.ts";

const plural = pluralIn("en");

const english = {
  sidebar: {
    label: "Channels",
    search: "Search",
    outbox: "Outbox",
    outboxCount: (waiting: number, refused: number) =>
      [
        waiting > 0 ? plural(waiting, { one: "# waiting", other: "# waiting" }) : "",
        refused > 0 ? plural(refused, { one: "# needs attention", other: "# need attention" }) : "",
      ]
        .filter(Boolean)
        .join(", "),
    browse: "Browse channels",
    create: "Create channel",
    starred: "Starred",
    channels: "Channels",
    unread: "unread",
    mentions: (count: number) => plural(count, { one: "# mention", other: "# mentions" }),
    draft: "draft",
    waiting: "waiting to be created",
    refused: "couldn't be created",
    private: "private",
    account: (name: string) => `Account of ${name}`,
    updateReady: "Update ready",
    none: "You are in no channel yet.",
  },

  timeline: {
    label: (channel: string) => `Messages in ${channel}`,
    new: "New",
    jumpNew: (count: number) => plural(count, { one: "# new", other: "# new" }),
    jumpLatest: "Latest",
    olderLoading: "Fetching older messages",
    olderUnreachable: "Older messages aren't on this device. They come when you're back online.",
    newerUnreachable: "Newer messages aren't on this device. They come when you're back online.",
    unchecked: "Checking for what changed while you were away",
    beginning: (channel: string) => `This is the beginning of ${channel}.`,
    edited: "(edited)",
    pinned: "Pinned",
    deleted: "This message was deleted.",
    quoteDeleted: "a message that isn't here any more",
    queued: "queued",
    sending: "sending",
    changeWaiting: "change waiting",
    reaction: (emoji: string, names: string) => `${emoji} ${names}`,
    and: (names: readonly string[]) => new Intl.ListFormat("en").format(names),
  },
};

export const beside: typeof english = english;
