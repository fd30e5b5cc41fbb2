// Hashes and random codes, by the platform's own cryptography.

const CODE_BYTES = 16;

export async function sha256Hex(text: string): Promise<string> {
  return hexOf(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

/** A hash that nobody can look up without the secret: for addresses and accounts in counters. */
export async function keyedHash(secret: string, text: string): Promise<string> {
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  return hexOf(await crypto.subtle.sign("HMAC", key, encoder.encode(text)));
}

/** 128 random bits in letters, digits, `-` and `_`: too many to guess, so its plain hash is safe to keep. */
export function randomCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(CODE_BYTES));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Takes as long for a near miss as for a wild one. Both are hashes of equal length. */
export function equalHashes(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}

function hexOf(bytes: ArrayBuffer): string {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
