// What any form says that couldn't do its work, where the catalogue's words are of something else. In English, like
// strings.ts.
const english = {
  deviceFailed: "This device couldn't store that. What you typed is still here: try again, or reload.",
  unavailable: "Causeway can't do that just now. Try again in a moment.",
};

export const formSays: typeof english = english;
