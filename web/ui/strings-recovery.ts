// What is said when this build, or what it stored, can't go on as it is. English; see strings.ts.
const english = {
  reload: "Reload",
  update: {
    text: "Causeway was updated. Reload to go on. Messages, drafts and edits are kept.",
    unkept: "Causeway was updated. Reload to go on. This browser keeps nothing, so copy what isn't delivered first.",
  },
  newer: {
    title: "A newer version of Causeway was here",
    text: "What is stored on this device was written by a newer version than this one, so it is left as it is. Reload to get the newer version; without a network, once you're back online.",
  },
  failed: {
    title: "What is stored on this device can't be brought up to date",
    text: "This version of Causeway needs it in another form, and changing it didn't work. Nothing was changed, and nothing is lost. Try again; if it happens again, export it first and ask whoever runs your Causeway.",
    again: "Try again",
  },
  blocked: {
    title: "Causeway is open in another tab with an older version",
    text: "Reload or close that tab. This one goes on by itself then.",
  },
  denied: {
    title: "This browser keeps nothing of this site",
    text: "It is set to keep no site data (cookies), so Causeway can neither sign you in nor store anything here. Allow it for this site in the browser's settings, then reload.",
  },
  unknown: {
    title: "What is stored on this device can't be opened",
    text: "Reload to try again. What is stored stays as it is, and what was sent is safe with the server.",
    full: "This device is out of space, so the browser can't open what is stored. Free some space, then reload.",
    silent:
      "The browser doesn't answer when asked for what is stored. Close other tabs of Causeway or restart the browser, then reload.",
  },
  broken: {
    asking:
      "Something stored on this device can't be read any more, so messages may be missing here. What was sent is safe with the server. Rebuild what is stored: what you haven't sent is kept.",
    act: "Rebuild",
    isRunning: "Rebuilding",
    waiting: "Another tab of Causeway still holds what is stored. Close the other tabs; this goes on by itself then.",
    unread:
      "What you wrote and haven't sent can't be read either, so rebuilding would remove it. Nothing was changed. Export what can be read first.",
    anyway: "Rebuild without it",
    failed: "It couldn't be rebuilt. Leave this tab open, close other tabs of Causeway, and try again.",
  },
  afresh: {
    act: "Start afresh",
    text: "This removes what Causeway has stored in this browser. What you haven't sent comes back as far as it is noted beside that: the newest texts, mostly. Export it first.",
    sure: "Remove and start afresh",
    failed:
      "It couldn't be removed. Close other tabs of Causeway and try again, or clear this site's data in the browser.",
  },
  export: {
    act: "Export what is on this device",
    busy: "Exporting",
    nothing: "There is nothing here to export, or the browser doesn't let it be read.",
    file: (day: string) => `causeway-device-${day}.ndjson`,
  },
};

export type RecoveryStrings = typeof english;

export const r: RecoveryStrings = english;
