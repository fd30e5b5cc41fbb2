// The names of those who are writing, in a sentence.
import type { ReactElement } from "react";
import { s } from "../../ui/strings-more.ts";

export function TypingNames({ names }: { readonly names: readonly string[] }): ReactElement {
  const [one = "", other, ...more] = names;
  const { typing: says } = s;
  if (other === undefined) return <>{says.one(one)}</>;
  return <>{more.length === 0 ? says.two(one, other) : says.many}</>;
}
