// What the channel screen says, in English. Another language is a file of its own with an object of the same type,
// chosen here before the first render. What screens loaded later say stands in strings-more.ts.
import { pluralIn } from "./plural.ts";

const plural = pluralIn("en");

const english = {
  close: "Close",
  cancel: "Cancel",
  back: "Back",
  loading: "Loading",
  someone: "someone",
  today: "Today",
  yesterday: "Yesterday",
  app: "Causeway",
  tabTitle: (place: string, workspace: string) => `${place} · ${workspace}`,
  broken: {
    title: "This part of the app broke",
    text: "What you wrote is kept on this device. Reload to go on; if it happens again, the sync status page has a report to copy.",
    cannotOpen: "What is stored on this device can't be opened",
    reload: "Reload",
  },
  notLoaded: {
    title: "This screen isn't on this device yet",
    text: "It has to be fetched once. Try again when you're back online.",
  },

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

  connection: {
    label: "Connection",
    live: "Live",
    catchingUp: (done: number, total: number) => (total > 0 ? `Catching up ${done} of ${total}` : "Catching up"),
    reconnecting: "Reconnecting",
    offline: "Offline",
    waiting: (count: number) => plural(count, { one: "# waiting", other: "# waiting" }),
    signedOut: "Sign in again",
    misconfigured: "Offline: sign-in is misconfigured",
  },

  channel: {
    menu: "Channel menu",
    members: (count: number) => plural(count, { one: "# member", other: "# members" }),
    membersHere: (count: number, here: number) =>
      `${plural(count, { one: "# member", other: "# members" })}, ${plural(here, { one: "# here", other: "# here" })}`,
    topic: "Set topic",
    addTopic: "Add a topic",
    rename: "Rename channel",
    archive: "Archive channel",
    unarchive: "Bring channel back",
    leave: "Leave channel",
    star: "Star channel",
    unstar: "Remove star",
    join: "Join",
    closed: {
      archived: "This channel is archived. It can be read, not written to.",
      "admins-only": "Only admins may post here.",
      "not-joined": "You're reading this channel without being in it.",
    },
    missing: {
      title: "This channel isn't here",
      text: "It may not exist, you may not be in it, or this device hasn't heard of it yet.",
      browse: "Browse channels",
    },
    allChannels: "All channels",
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
    notHere: "That message isn't on this device and can't be fetched now.",
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
    maybeDelivered: "It may have been delivered all the same.",
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

  actions: {
    label: "Message actions",
    react: "React",
    reply: "Reply in thread",
    edit: "Edit",
    delete: "Delete",
    more: "More",
    copyText: "Copy text",
    copyLink: "Copy link",
    markUnread: "Mark unread from here",
    editAndRetry: "Edit and retry",
    retry: "Try again",
    copy: "Copy",
    discard: "Discard",
  },

  composer: {
    label: (channel: string) => `Message ${channel}`,
    edit: "Edit message",
    save: "Save changes",
    send: "Send",
    bold: "Bold",
    italic: "Italic",
    code: "Code",
    format: "Formatting",
    replyingTo: (author: string) => `Replying to ${author}`,
    stopReplying: "Don't reply",
    people: "People to mention",
    length: (actual: string, limit: string) => `${actual} of ${limit} characters`,
    tooLong: (over: number) => plural(over, { one: "# character too many", other: "# characters too many" }),
    typingOne: (name: string) => `${name} is typing`,
    typingTwo: (one: string, other: string) => `${one} and ${other} are typing`,
    typingMany: "Several people are typing",
  },
};

export type Strings = typeof english;

export const t: Strings = english;
