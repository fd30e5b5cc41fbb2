// What the sidebar says, which comes beside the composer and the messages. In English, like strings.ts.
import { pluralIn } from "./plural.ts";

const plural = pluralIn("en");

const english = {
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
  loading: "Loading",
  none: "You are in no channel yet.",
};

export const sidebarSays: typeof english = english;
