// Puts a text on the clipboard. Where the browser refuses, that is said, and the text is there to be copied by hand.
const showUncopied = async (text: string): Promise<void> => (await import("./CopyByHand.tsx")).showUncopied(text);

/** Answers whether it is there. */
export async function copy(text: string, show = showUncopied): Promise<boolean> {
  try {
    // Where a page came over plain HTTP there is none at all.
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    await show(text);
    return false;
  }
}
