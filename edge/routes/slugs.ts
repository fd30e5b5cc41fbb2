// The short name of a workspace in addresses: made from its name where none was chosen.
import { SLUG_MAX_CHARS, SLUG_MIN_CHARS } from "#protocol/field-limits.ts";

/** Would be mistaken for something of the deployment's own. */
const RESERVED: ReadonlySet<string> = new Set(
  `about account admin administrator api app assets auth bot bots browse causeway channel channels config dev files
   health healthz help home hooks icons index invite join login logout mail me new null outbox parties people root
   saved search security settings setup share sign-in sign-out sign-up signin signup static status support system
   test threads undefined user users welcome well-known workspace workspaces www`.split(/\s+/),
);
const RANDOM_CHARS = 6;

export function isReserved(slug: string): boolean {
  return RESERVED.has(slug);
}

/** As near to the name as letters a to z allow; made up where nothing of it is left. */
export function slugFrom(name: string, random: () => string): string {
  const plain = name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const slug = fit(plain.replaceAll(/[^a-z0-9]+/g, "-"), SLUG_MAX_CHARS);
  if (slug.length >= SLUG_MIN_CHARS && !isReserved(slug)) return slug;
  return slug === "" ? `team-${random().slice(0, RANDOM_CHARS)}` : fit(`team-${slug}`, SLUG_MAX_CHARS);
}

/** `acme`, then `acme-2` and so on: what to try when one is taken. */
export function slugsLike(slug: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const suffix = at === 0 ? "" : `-${at + 1}`;
    return `${fit(slug, SLUG_MAX_CHARS - suffix.length)}${suffix}`;
  });
}

function fit(text: string, max: number): string {
  return text.replace(/^-+/, "").slice(0, max).replace(/-+$/, "");
}
