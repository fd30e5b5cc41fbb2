// What the lines say that a room writes itself, in English. Like strings.ts, for other languages.
const english = {
  created: (who: string) => `${who} created this channel`,
  joined: (who: string) => `${who} joined`,
  added: (who: string, whom: string) => `${who} added ${whom}`,
  left: (who: string) => `${who} left`,
  removed: (who: string, whom: string) => `${who} removed ${whom}`,
  topic: (who: string, topic: string) => (topic === "" ? `${who} cleared the topic` : `${who} set the topic: ${topic}`),
  renamed: (who: string, was: string, name: string) => `${who} renamed this channel from #${was} to #${name}`,
  archived: (who: string) => `${who} archived this channel`,
  unarchived: (who: string) => `${who} brought this channel back`,
};

export const y: typeof english = english;
