/** The six that need no search. */
export const QUICK_REACTIONS: readonly string[] = ["👍", "❤️", "😂", "🎉", "👀", "✅"];
