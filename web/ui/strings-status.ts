// What the sync status says, in English. Like strings.ts, for other languages.
import { pluralIn } from "./plural.ts";

const plural = pluralIn("en");

const english = {
  title: "Sync status",
  connection: "Connection",
  workOffline: {
    label: "Work offline",
    hint: "Nothing of yours is sent or fetched until you switch it off; only your browser may fetch a newer Causeway. What you do is kept, and sent after that.",
    notKept: (why: string) => `${why} Whether you work offline can't be kept here, so nothing was changed.`,
  },
  outbox: "Outbox",
  counting: "Counting what waits",
  outboxText: (waiting: string, refused: string) => `${waiting} waiting, ${refused} refused`,
  drafts: (count: number) =>
    plural(count, {
      one: "# draft whose channel you can't write in any more",
      other: "# drafts whose channels you can't write in any more",
    }),
  storage: "Storage on this device",
  storageText: (used: string, quota: string) => `${used} used. The browser says it allows up to ${quota}.`,
  storageUnknown: "The browser doesn't say.",
  persistent: {
    yes: "Protected: the browser won't clear it by itself.",
    no: "Not protected: the browser may clear it when space is short.",
    unknown: "",
  },
  keep: "What is kept on this device",
  memory: "This browser keeps nothing (private mode?). What isn't delivered is lost when you close it.",
  rooms: "Rooms",
  room: "Room",
  link: "Link",
  cursor: "Up to",
  head: "Newest",
  held: "Messages and notices here",
  complete: "complete",
  links: {
    none: "closed",
    connecting: "connecting",
    "catching-up": "catching up",
    live: "live",
    waiting: "waiting",
    refused: "refused",
  },
  app: "App",
  build: (build: string, protocol: string) => `Build ${build}, protocol ${protocol}`,
  leader: { yes: "This tab syncs for all tabs.", no: "Another tab syncs for this one." },
  copy: "Copy report",
  copied: "Copied",
  noWorkspace: "Open a workspace first: there is nothing to sync yet.",
};

export const statusSays: typeof english = english;
