// What any form says that couldn't do its work for this device's sake. In English, like strings.ts.
const english = {
  deviceFailed: "This device couldn't store that. What you typed is still here: try again, or reload.",
};

export const formSays: typeof english = english;
