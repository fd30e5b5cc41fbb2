// Which passwords are taken (product, point 5): long enough, not among the commonest, not what everybody can guess.
import { failure, type Failure } from "#protocol/errors.ts";
import { COMMON_PASSWORDS } from "./common-passwords.ts";

/** One character over and over, or a run like abcdefghij: long, and the first thing to be tried. */
const SAME = /^(.)\1*$/su;

/** Null when it may be used. The length is the schema's to check. */
export function passwordFault(password: string, person: { email: string; name: string }): Failure | null {
  const plain = fold(password);
  const fault = (rule: string) => failure("invalid", { field: "password", rule });
  if (COMMON_PASSWORDS.has(plain) || SAME.test(plain)) return fault("is one of the commonest");
  const guessable = [person.email, person.email.split("@", 1)[0] ?? "", person.name].map(fold);
  return guessable.includes(plain) ? fault("is your email or name") : null;
}

function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase().replaceAll(/\s/g, "");
}
