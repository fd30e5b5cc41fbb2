// How texts and questions become terms: letter case and accents folded, any script, the same for both. Pure.

/** A term, and where it stands in the text that was read: UTF-16 units, `to` behind its last one. */
export interface Token {
  readonly term: string;
  readonly from: number;
  readonly to: number;
}

/** Longer ones (keys, encoded data) are found by their beginning. UTF-16 units. */
const TERM_MAX_CHARS = 40;

// oxlint-disable-next-line no-control-regex -- all of ASCII is meant
const ASCII = /^[\u0000-\u007F]*$/;
/**
 * Scripts written without spaces; the long vowel mark, and the half-width marks that voice the letter before them, belong
 * to no script but stand in katakana.
 */
const UNSPACED =
  "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}\\u30FC\\uFF70\\uFF9E\\uFF9F";
/** They choose the shape of what stands before them, and people type without. */
const SELECTORS = "\\u180B-\\u180F\\u{E0100}-\\u{E01EF}\\uFE00-\\uFE0F";
/** Selectors between text and picture, and the frame of a key: what they make a picture of is no part of the next word. */
const FRAMES = "\\uFE0E\\uFE0F\\u20E3";
/** Unicode counts selectors among the marks, so that a word would begin with one; and ℹ among the letters. */
const LETTER = `(?![${UNSPACED}${SELECTORS}${FRAMES}]|\\p{Extended_Pictographic})[\\p{L}\\p{N}\\p{M}]`;
/** A mention, a run of a script without spaces with whatever marks its letters have, a picture, or a word of any other. */
const TOKENS = new RegExp(
  `<@([A-Za-z0-9_-]{1,64})>|([${UNSPACED}][${UNSPACED}\\p{M}]*)|(\\p{Extended_Pictographic})[${SELECTORS}${FRAMES}]*|` +
    `${LETTER}(?:${LETTER}|(?![${FRAMES}])[${SELECTORS}])*[${FRAMES}]*`,
  "gu",
);
/** Accents, selectors, Hebrew points, Arabic vowel signs and the stretching line. Vowel signs of other scripts are letters. */
const MARKS =
  // oxlint-disable-next-line no-misleading-character-class -- each mark is meant by itself
  /[\u{E0100}-\u{E01EF}\uFE00-\uFE0F\u180B-\u180F\u0300-\u036F\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E8\u06EA-\u06ED\u0640]/gu;
/** Letters that differ by more than a mark from what people type for them. */
const ALIKE: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ħ: "h",
  ŧ: "t",
  ı: "i",
  ĸ: "k",
  ς: "σ",
  ى: "ي",
  ة: "ه",
};
const LETTERS = new RegExp(`[${Object.keys(ALIKE).join("")}]`, "gu");
/** What compatibility forms may bring along, such as the stroke of ½. */
const NOT_WORD = /[^\p{L}\p{N}\p{M}]+/gu;

/** Two texts that differ in letter case, accents or width alone become equal. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  const bare = text.normalize("NFKD").replace(MARKS, "").toLowerCase();
  return bare.replace(LETTERS, (letter) => ALIKE[letter] ?? letter).normalize("NFC");
}

/** What a mention of this person is found by; no text folds to it. */
export function mentionTerm(user: string): string {
  return `@${user}`;
}

/** The terms of a text in order, each at the next place. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  eachToken(text, (term, from, to) => tokens.push({ term, from, to }));
  return tokens;
}

/** Like `tokensOf`, without making a list: an index reads a hundred thousand texts. */
export function eachToken(text: string, visit: (term: string, from: number, to: number) => void): void {
  if (ASCII.test(text) && !text.includes("<@")) return eachAsciiToken(text, visit);
  for (const match of text.matchAll(TOKENS)) {
    const [whole, user, unspaced, picture] = match;
    const from = match.index;
    if (user !== undefined) visit(mentionTerm(user), from, from + whole.length);
    else if (unspaced !== undefined) eachPair(unspaced, from, visit);
    else {
      const term = picture ?? fold(whole).replace(NOT_WORD, "");
      if (term !== "") visit(term.slice(0, TERM_MAX_CHARS), from, from + whole.length);
    }
  }
}

function eachAsciiToken(text: string, visit: (term: string, from: number, to: number) => void): void {
  const lower = text.toLowerCase();
  let from = -1;
  for (let at = 0; at <= lower.length; at += 1) {
    const code = at < lower.length ? lower.charCodeAt(at) : 0;
    if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57)) {
      if (from < 0) from = at;
    } else if (from >= 0) {
      visit(lower.slice(from, Math.min(at, from + TERM_MAX_CHARS)), from, at);
      from = -1;
    }
  }
}

/** A letter with its marks: folded together, as カ and ﾞ are one letter to whoever types ガ. */
const MARKED = /.[\p{M}\uFF9E\uFF9F]*/gsu;

/**
 * Without spaces nobody can tell where a word begins: each letter together with the next is a term, the last one alone,
 * so that any part of the run is found as terms that follow one another.
 */
function eachPair(run: string, start: number, visit: (term: string, from: number, to: number) => void): void {
  const letters: Token[] = [];
  let from = start;
  for (const [marked] of run.matchAll(MARKED)) {
    const to = from + marked.length;
    for (const term of fold(marked)) letters.push({ term, from, to });
    from = to;
  }
  letters.forEach(({ term, from, to }, at) => {
    const next = letters[at + 1];
    visit(next === undefined ? term : term + next.term, from, next?.to ?? to);
  });
}

/** A run of terms as a question asks for them: standing one after the other. */
export interface Run {
  readonly terms: readonly string[];
  /** The last term may go on: it is being typed, or a word is found by its beginning. */
  readonly isOpen: boolean;
}

const ENDS_UNSPACED = new RegExp(`[${UNSPACED}]\\p{M}*$`, "u");

/** What a piece of a question asks for; null where it holds no term. */
export function runOf(text: string, isOpen: boolean): Run | null {
  const terms = tokensOf(text).map(({ term }) => term);
  const last = terms.at(-1);
  if (last === undefined) return null;
  const before = terms.at(-2);
  if (!ENDS_UNSPACED.test(text)) return { terms, isOpen: isOpen && !last.startsWith("@") };
  // The last letter of a text may be any letter of the run: it is held already by the pair before it, or may be the
  // first of one.
  const isPaired = before !== undefined && before !== last && before.endsWith(last);
  return isPaired ? { terms: terms.slice(0, -1), isOpen } : { terms, isOpen: true };
}
