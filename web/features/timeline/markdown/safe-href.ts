// The one gate for addresses in messages: what doesn't pass is shown as text.

const ALLOWED: ReadonlySet<string> = new Set(["http:", "https:", "mailto:"]);

/**
 * The address as the browser will read it, or null when it must not become a link. The platform's own parser judges, so
 * that tricks (tabs and newlines inside the scheme, entities, case, leading controls) end where the browser ends them.
 */
export function safeHref(address: string): string | null {
  const url = URL.parse(address);
  return url !== null && ALLOWED.has(url.protocol) ? url.href : null;
}
