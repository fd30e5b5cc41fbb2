// Addresses that may become a script here (Trusted Types): those of our own workers, and no other. The edge's policy
// names this maker alone, and a maker is made once.

const POLICY = "causeway-worker";
/** The service worker, and a worker that the build made. */
const OURS = /^\/(?:sw\.js|assets\/[\w.-]+\.js)$/;

/** Of the DOM's own types, not yet in TypeScript's. */
interface Policy {
  readonly createScriptURL: (url: string) => string;
}

interface TrustedTypes {
  readonly createPolicy: (name: string, rules: Policy) => Policy;
}

let policy: Policy | undefined;

export function scriptAddress(path: string): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  policy ??= trustedTypes?.createPolicy(POLICY, {
    createScriptURL: (url) => {
      if (!OURS.test(url)) throw new TypeError("not a worker of ours");
      return url;
    },
  });
  return policy?.createScriptURL(path) ?? path;
}
