// What the messages say, which come beside the composer. In English, like strings.ts.
const english = {
  label: (channel: string) => `Messages in ${channel}`,
  new: "New",
  today: "Today",
  yesterday: "Yesterday",
  jumpNew: (count: number) => `${count} new`,
  jumpLatest: "Latest",
  olderLoading: "Fetching older messages",
  olderUnreachable: "Older messages aren't on this device yet.",
  newerUnreachable: "Newer messages aren't on this device yet.",
  beginning: (channel: string) => `This is the beginning of ${channel}.`,
  edited: "(edited)",
  pinned: "Pinned",
  deleted: "This message was deleted.",
  quoteDeleted: "a message that is gone",
  quoteAway: "a message that isn't on this device",
  queued: "queued",
  sending: "sending",
  changeWaiting: "change waiting",
  reaction: (emoji: string, names: string) => `${emoji} ${names}`,
  and: (names: readonly string[]) => new Intl.ListFormat("en").format(names),
};

export const timelineSays: typeof english = english;
