// Signing out takes this device's copy away. What isn't delivered yet is never taken without asking.
import { useState, type ReactElement } from "react";
import { navigate } from "../navigation.tsx";
import type { Failure } from "#protocol/errors.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../ui/Dialog.tsx";
import { FormFault } from "../../ui/FormFault.tsx";
import { t } from "../../ui/strings.ts";
import { s } from "../../ui/strings-more.ts";
import { WELCOME } from "../paths.ts";
import { useClient, usePlace, useView } from "../services.ts";

type State =
  | { readonly name: "asking" }
  | { readonly name: "busy" }
  | { readonly name: "failed"; readonly failure: Failure };

export function SignOut({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { account } = useClient();
  const outbox = useView(usePlace().client.outbox);
  const [state, setState] = useState<State>({ name: "asking" });
  const count = outbox.state === "ready" ? outbox.value.items.length : 0;
  const { signOut: says } = s;

  async function leave(queue: "none" | "keep" | "discard"): Promise<void> {
    setState({ name: "busy" });
    const result = await account.signOut(queue);
    if (result.ok) navigate(WELCOME, { replace: true });
    else setState({ name: "failed", failure: result.error });
  }

  const busy = state.name === "busy";
  return (
    <Dialog title={says.title} onClose={onClose}>
      <p>{says.text}</p>
      {count > 0 && (
        <p>
          <strong>{says.queueTitle(count)}.</strong> {says.queueText}
        </p>
      )}
      <FormFault>{state.name === "failed" ? state.failure.detail : null}</FormFault>
      <DialogActions>
        <Button onClick={onClose}>{t.cancel}</Button>
        {count > 0 ? (
          <>
            <Button look="danger" busy={busy} onClick={() => void leave("discard")}>
              {says.discard}
            </Button>
            <Button look="primary" busy={busy} onClick={() => void leave("keep")}>
              {says.keep}
            </Button>
          </>
        ) : (
          <Button look="primary" busy={busy} onClick={() => void leave("none")}>
            {says.act}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
