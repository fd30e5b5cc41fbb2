// Somebody else signs in while what one person wrote still waits on this device: it is never sent under another name,
// and asked about before anything becomes of it ([OP11]).
import { useState, type ReactElement } from "react";
import type { Failure } from "#protocol/errors.ts";
import type { Result } from "#protocol/result.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../ui/Dialog.tsx";
import { FormFault } from "../../ui/FormFault.tsx";
import { door } from "../../ui/strings-door.ts";
import { t } from "../../ui/strings.ts";
import { SaveUnsent } from "../SaveUnsent.tsx";

interface OtherPersonProps {
  readonly name: string;
  readonly count: number;
  readonly onDecide: (queue: "keep" | "discard") => Promise<Result<void, Failure>>;
  readonly onClose: () => void;
}

export function OtherPerson({ name, count, onDecide, onClose }: OtherPersonProps): ReactElement {
  const [fault, setFault] = useState<string | null>(null);
  const { otherPerson: says } = door;

  async function decide(queue: "keep" | "discard"): Promise<void> {
    const result = await onDecide(queue);
    setFault(result.ok ? null : result.error.detail);
  }

  return (
    <Dialog title={says.title} onClose={onClose}>
      <p>{says.text(name, count)}</p>
      <FormFault>{fault}</FormFault>
      <DialogActions>
        <Button onClick={onClose}>{t.cancel}</Button>
        <SaveUnsent />
        <Button look="danger" onClick={() => void decide("discard")}>
          {says.discard}
        </Button>
        <Button look="primary" onClick={() => void decide("keep")}>
          {says.keep}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
