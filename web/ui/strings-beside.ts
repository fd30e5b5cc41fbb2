// What the sidebar and the messages say, which come beside the composer, in English. Like strings.ts, for other languages.
import { pluralIn } from "./plural.ts";

const plural = pluralIn("en");

const english = {
  sidebar: {
    label: "Channels",
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
    jumpToFirstUnread: "First unread",
    olderLoading: "Fetching older messages",
    olderUnreachable: "Older messages aren't on this device. They come when you're back online.",
    newerUnreachable: "Newer messages aren't on this device. They come when you're back online.",
    unchecked: "Checking for what changed while you were away",
    beginning: (channel: string) => `This is the beginning of ${channel}.`,
    announce: (author: string, text: string) => `${author}: ${text}`,
    announceMany: (count: number) => plural(count, { one: "# new message", other: "# new messages" }),
    edited: "(edited)",
    deleted: "This message was deleted.",
    quoteDeleted: "a message that isn't here any more",
    quoteLabel: (author: string) => `In reply to ${author}`,
    written: (time: string) => `written ${time}`,
    queued: "queued",
    sending: "sending",
    refused: "not sent",
    changeWaiting: "change waiting",
    replyCount: (count: number) => plural(count, { one: "# reply", other: "# replies" }),
    reaction: (emoji: string, names: string) => `${emoji} ${names}`,
    and: (names: readonly string[]) => new Intl.ListFormat("en").format(names),
    system: {
      created: (who: string) => `${who} created this channel`,
      joined: (who: string) => `${who} joined`,
      added: (who: string, whom: string) => `${who} added ${whom}`,
      left: (who: string) => `${who} left`,
      removed: (who: string, whom: string) => `${who} removed ${whom}`,
      topic: (who: string, topic: string) =>
        topic === "" ? `${who} cleared the topic` : `${who} set the topic: ${topic}`,
      renamed: (who: string, was: string, name: string) => `${who} renamed this channel from #${was} to #${name}`,
      archived: (who: string) => `${who} archived this channel`,
      unarchived: (who: string) => `${who} brought this channel back`,
    },
  },
};

export const beside: typeof english = english;
