/**
 * So long what was to be discarded is held back while its person is asked once more, ms: nothing else goes meanwhile, in any
 * tab, and whoever asks may have been left alone.
 */
export const HELD_BACK_FOR_MS = 2 * 60_000;
