// What is said of texts that were begun and are on this device alone. In English, like strings.ts.
import { pluralIn } from "./plural.ts";

const plural = pluralIn("en");

const english = {
  saving: "Being saved on this device",
  row: "You began to edit this and didn't finish.",
  goOn: "Go on",
  title: "Edits you haven't finished",
  lead: "They are on this device alone until you save them.",
  kind: "Unfinished edit",
  show: "Go to the message",
  outOfSight: {
    title: "From channels you can't see any more",
    lead: "They are on this device alone until you choose what becomes of them.",
  },
  onlyHere: (count: number) =>
    plural(count, {
      one: "# unfinished text is on this device alone: a draft or an edit.",
      other: "# unfinished texts are on this device alone: drafts or edits.",
    }),
  heldBack: "None of it is sent while you decide, for two minutes at most.",
  queueText:
    "Keep what you wrote on this device for when you sign in again as the same person, or discard it for good.",
};

export const unfinishedSays: typeof english = english;
