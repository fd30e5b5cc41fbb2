// Picks the form of a word that goes with a number, by the rules of the language.

export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

/** `#` in the chosen form stands for the number. */
export function pluralIn(language: string): (count: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(language);
  const number = new Intl.NumberFormat(language);
  return (count, forms) => (forms[rules.select(count)] ?? forms.other).replace("#", number.format(count));
}
