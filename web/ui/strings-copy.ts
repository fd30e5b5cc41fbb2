// What is said where the clipboard refuses. In English, like strings.ts.
const english = {
  title: "Not copied",
  text: "This browser didn't let Causeway copy. The text is selected here: copy it with Ctrl+C (⌘C on a Mac), or by a long press on it.",
  label: "Text to copy",
};

export const copySays: typeof english = english;
