// Somebody else signs in while what one person wrote still waits on this device: it is never sent under another name,
// and asked about before anything becomes of it ([OP11]).
import { useState, type ReactElement } from "react";
import type { Failure } from "#protocol/errors.ts";
import { ok, type Result } from "#protocol/result.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../ui/Dialog.tsx";
import { FormFault } from "../../ui/FormFault.tsx";
import { door } from "../../ui/strings-door.ts";
import { unfinishedSays } from "../../ui/strings-unfinished.ts";
import { SaveUnsent } from "../SaveUnsent.tsx";
import { useUnfinished } from "../composer/use-unfinished.ts";
import { useClient, useView } from "../services.ts";
import { signOut, type SignOutFailure } from "../sign-out.ts";

/** What somebody wants to do here: sign in or up, and what follows. */
type Entering = () => Promise<Result<void, Failure>>;

export interface OtherPersonAsked {
  /**
   * Does it, unless somebody else's changes wait here: then it is done once that is decided, and `false` is answered.
   * @param email as whom; a new account is nobody's who was here
   */
  readonly enter: (email: string | null, entering: Entering) => Promise<Result<boolean, Failure>>;
  readonly dialog: ReactElement | null;
}

/** @param done when they are in after all */
export function useOtherPerson(done: () => void): OtherPersonAsked {
  const { account } = useClient();
  const session = useView(account.session);
  const [view] = useState(() => account.unsent());
  const unsent = useView(view);
  const [asked, setAsked] = useState<{ readonly name: string; readonly entering: Entering } | null>(null);
  const was = session.state === "nobody" ? null : session.person;
  const known = unsent.state === "ready" ? unsent.value : null;
  const { texts } = useUnfinished();
  const textCount = texts.length + (known?.draftCount ?? 0) + (known?.unsyncedDraftCount ?? 0);
  const count = (known?.waitingCount ?? 0) + (known?.refusedCount ?? 0);
  // What was counted stays in the question while they are signed out.
  const [counted, setCounted] = useState({ count: 0, textCount: 0 });

  async function decide(entering: Entering, queue: "keep" | "discard"): Promise<Result<void, SignOutFailure>> {
    const left = await signOut(account, queue);
    const entered = left.ok ? await entering() : left;
    if (entered.ok) done();
    return entered;
  }

  return {
    enter: async (email, entering) => {
      if (was !== null && count > 0 && email?.toLowerCase() !== was.email.toLowerCase()) {
        setCounted({ count, textCount });
        setAsked({ name: was.name, entering });
        return ok(false);
      }
      const entered = await entering();
      return entered.ok ? ok(true) : entered;
    },
    dialog: asked && (
      <OtherPerson
        name={asked.name}
        {...counted}
        onDecide={(queue) => decide(asked.entering, queue)}
        onClose={() => setAsked(null)}
      />
    ),
  };
}

interface OtherPersonProps {
  readonly name: string;
  readonly count: number;
  /** That nobody else has besides. */
  readonly textCount: number;
  readonly onDecide: (queue: "keep" | "discard") => Promise<Result<void, SignOutFailure>>;
  readonly onClose: () => void;
}

function OtherPerson({ name, count, textCount, onDecide, onClose }: OtherPersonProps): ReactElement {
  const [fault, setFault] = useState<SignOutFailure | null>(null);
  const { otherPerson: says } = door;

  const giveUp = fault?.isStuck ? () => location.reload() : onClose;

  async function decide(queue: "keep" | "discard"): Promise<void> {
    const result = await onDecide(queue);
    setFault(result.ok ? null : result.error);
  }

  return (
    <Dialog title={says.title} onClose={giveUp}>
      <p>{says.text(name, count)}</p>
      {textCount > 0 && <p>{unfinishedSays.onlyHere(textCount)}</p>}
      <FormFault>{fault?.detail ?? null}</FormFault>
      <DialogActions>
        <Button onClick={giveUp}>{door.cancel}</Button>
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
