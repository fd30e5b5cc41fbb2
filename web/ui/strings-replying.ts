// What is said above a text that answers a message, in English. Like strings.ts.
const english = {
  to: (author: string) => `Replying to ${author}`,
  toUnknown: "Replying to a message that isn't on this device",
  stop: "Don't reply",
  gone: "The message you were replying to was deleted. What you write now is a message of its own.",
};

export const replyingSays: typeof english = english;
