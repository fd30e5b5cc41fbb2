// In a browser that keeps nothing what isn't delivered goes with its page, so that one asks before it is left or loaded
// anew: the browser's own question, for there is no other. From the first screen on which something can be written, for as
// long as the page lives: it is left from other screens as well.
import { totalsOf } from "../features/unsent.ts";
import type { Loaded, View } from "../store/view.ts";
import type { Account } from "../sync/client.ts";
import type { Unsent } from "../sync/unsent.ts";
import { typesText } from "./unkept-text.ts";

let unsent: View<Loaded<Unsent>> | null = null;
let stop: () => void = () => undefined;

/** Of whoever is here now. */
export async function askBeforeLeaving(account: Account): Promise<void> {
  addEventListener("beforeunload", ask);
  unsent = await account.unsent();
  stop();
  // It counts for as long as somebody listens.
  stop = unsent.subscribe(() => undefined);
}

function ask(event: BeforeUnloadEvent): void {
  const now = unsent?.snapshot();
  const totals = now?.state === "ready" ? totalsOf(now.value, []) : { count: 0, textCount: 0 };
  // What is typed is a draft, and counted, a quarter of a second later.
  if (totals.count + totals.textCount > 0 || typesText()) event.preventDefault();
}
