// What is said where something written offline met what happened meanwhile, in English. Like strings.ts.
const english = {
  late: (written: string, delivered: string) => `written ${written} offline, delivered ${delivered}`,

  replaced: {
    // Only its author edits a message: an edit that was moved from here may be the one, too.
    text: "Another edit of yours, made here or elsewhere, was replaced by this one.",
    tooLong: "The other one is too long to be kept beside it.",
    show: "Show the other version",
    hide: "Hide the other version",
    other: (time: string) => `The other version, of ${time}`,
    use: "Use this version",
  },

  editing: {
    elsewhere: "Edited elsewhere meanwhile. It now says:",
    deleted: "This message was deleted meanwhile. What you wrote is still here.",
  },

  refused: {
    unknown: "No answer came to this.",
    post: "Not sent.",
    edit: "Your edit wasn't taken.",
    delete: "The deletion wasn't taken.",
    react: "The reaction wasn't taken.",
    unreact: "The reaction wasn't removed.",
    pin: "The pin wasn't taken.",
    unpin: "The message wasn't unpinned.",
    words: "Your version",
  },

  notHere: {
    title: "Not on this device yet",
    because: {
      offline: "What was written here comes when you're back online. What you write is kept until then.",
      chosen: "You chose to work offline. What was written here comes when you go back online.",
      "signed-out": "What was written here comes when you have signed in again.",
      outdated:
        "Causeway was updated. What was written here comes when you have reloaded. What you write is kept until then.",
      space: "This device is full. What was written here comes when there is room.",
      refused: "You aren't let in. What was written here comes if you are again. What you write is kept until then.",
    },
  },

  postNew: "Post as a new message",
  elsewhere: "Move to another channel",
};

export const k: typeof english = english;
