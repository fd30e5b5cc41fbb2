// What is said of changes that went with this device's data before they were sent. In English, like strings.ts.
import { pluralIn } from "./plural.ts";

const plural = pluralIn("en");

const english = {
  label: "Unsent changes that went with this device's data",
  notice: (count: number, texts: number, since: string) => {
    const what = plural(count, {
      one: `One of your changes, written ${since}, hadn't been sent when Causeway was last open here.`,
      other: `# of your changes, the oldest written ${since}, hadn't been sent when Causeway was last open here.`,
    });
    const lost = plural(count, {
      one: "Look whether you need to make it again.",
      other: "Look whether you need to make them again.",
    });
    const kept = texts === 0 ? lost : "What you wrote was noted and is in the Outbox.";
    return `This browser's data for Causeway was cleared. ${what} ${kept} What was sent is safe with the server.`;
  },
  show: "Open the Outbox",
  dismiss: "Dismiss",
  onlyHere: (count: number) =>
    plural(count, {
      one: "One text that was noted before this browser's data was cleared may be on this device alone.",
      other: "# texts that were noted before this browser's data was cleared may be on this device alone.",
    }),
  title: "Noted before this browser's data was cleared",
  lead: "This hadn't been sent when Causeway was last open here, and nothing sends it by itself. What turns out to be delivered leaves this list.",
  send: "Send now",
  sendAll: (count: number) => plural(count, { one: "Send it now", other: "Send all # messages now" }),
  intoComposer: "Put into the composer",
  elsewhere: "Another workspace",
  rest: (count: number) =>
    plural(count, {
      one: "One more change hadn't been sent, and only that was noted: a reaction, a setting or a long text. Look whether you need to make it again.",
      other:
        "# more changes hadn't been sent, and only that was noted: reactions, settings or long texts. Look whether you need to make them again.",
    }),
};

export const lostSays: typeof english = english;
