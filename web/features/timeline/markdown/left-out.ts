// Stands in for the parts of the parser that are switched off (parse.ts), in the built pages (vite.config.ts).

const nothing = { tokenize: (_effects: unknown, _ok: unknown, nok: unknown): unknown => nok };

export const characterReference = nothing;
export const definition = nothing;
export const hardBreakEscape = nothing;
export const htmlFlow = nothing;
export const htmlText = nothing;
export const labelStartImage = nothing;
export const setextUnderline = nothing;

/** Of references, which nothing defines. */
export const normalizeIdentifier = (label: string): string => label;
/** For the words of faults that nobody reads. */
export const stringifyPosition = (): string => "";
