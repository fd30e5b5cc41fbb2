// What the search screen says, in English: it loads with it. Like strings.ts, for other languages.
import { pluralIn } from "./plural.ts";

const plural = pluralIn("en");

const english = {
  title: "Search",
  placeholder: "Words, “a phrase”, or a filter",
  results: "Search results",
  order: "Order",
  orders: { newest: "Newest first", best: "Best first" },
  clear: "Clear search",
  more: "Show more",
  completions: "Filters",

  opening: "Reading what is on this device",
  unavailable: "Search can't start in this browser right now.",
  tryAgain: "Try again",
  extent: (count: number, since: string) =>
    plural(count, {
      one: `Searching # message on this device, since ${since}.`,
      other: `Searching # messages on this device, since ${since}.`,
    }),
  extentPart: (count: number, oldest: string) =>
    plural(count, {
      one: `Searching # message on this device, from ${oldest}.`,
      other: `Searching # messages on this device, the oldest from ${oldest}.`,
    }),
  nothingHeld: "No messages are on this device yet.",
  incomplete: (count: number) =>
    plural(count, {
      one: "Some messages of # channel aren't here yet.",
      other: "Some messages of # channels aren't here yet.",
    }),
  todo: (count: number) =>
    plural(count, { one: "# more message is being read.", other: "# more messages are being read." }),
  total: (count: number) => plural(count, { one: "# message", other: "# messages" }),

  none: "Nothing found",
  noneText: "Try fewer or shorter words, or leave out a filter.",
  noneYet: "Nothing found yet",
  noneYetText: "Not all messages on this device have been read. What is found appears here by itself.",

  faults: {
    "not-a-filter": (name: string) => `“${name}:” isn't a filter, so it is searched for as a word.`,
    nobody: (name: string) => `Nobody here is called “${name}”.`,
    "no-channel": (name: string) => `There is no channel “${name}” here.`,
    "bad-date": (value: string) => `“${value}” isn't a date. Write 2023-03-12, 2023-03, 2023, today or yesterday.`,
    "bad-has": (value: string) => `“has:” knows link, code, reaction, pin and file, not “${value}”.`,
    "bad-is": (value: string) => `“is:” knows thread, not “${value}”.`,
  },

  hints: {
    title: "Narrow it down",
    filters: {
      from: "a person, or me",
      in: "a channel",
      has: "link, code, reaction, pin, file",
      is: "thread",
      before: "a date",
      after: "a date",
      on: "a day, month or year",
    },
    phrase: "words that stand together",
    exclude: "leaves messages out",
    phraseExample: "“lift plan”",
    excludeExample: "-word",
  },

  queued: "queued",
  changeWaiting: "change waiting",
  refused: "not sent",
  replies: (count: number) => plural(count, { one: "# reply", other: "# replies" }),
  inThread: "in a thread",
};

export const q: typeof english = english;
