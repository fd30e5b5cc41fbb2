// Somebody else signs in while what one person wrote still waits on this device: it is never sent under another name,
// and asked about before anything becomes of it ([OP11]).
import { useState, type ReactElement } from "react";
import { failure, type Failure } from "#protocol/errors.ts";
import type { UserId } from "#protocol/ids.ts";
import { failed, ok, type Result } from "#protocol/result.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../ui/Dialog.tsx";
import { FormFault } from "../../ui/FormFault.tsx";
import { door } from "../../ui/strings-door.ts";
import { s } from "../../ui/strings-more.ts";
import { unfinishedSays } from "../../ui/strings-unfinished.ts";
import { SaveUnsent } from "../SaveUnsent.tsx";
import { useUnfinished } from "../composer/use-unfinished.ts";
import { NotedTexts } from "../outbox/NotedTexts.tsx";
import { useClient } from "../services.ts";
import { signOut, type SignOutFailure } from "../sign-out.ts";
import { totalsOf, unsentNow, type UnsentTotals } from "../unsent.ts";
import { useHeldBack } from "../use-held-back.ts";

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

/** What was counted stays in the question while they are signed out. */
interface Asked extends UnsentTotals {
  readonly user: UserId;
  readonly name: string;
  readonly entering: Entering;
}

/** @param done when they are in after all */
export function useOtherPerson(done: () => void): OtherPersonAsked {
  const { account } = useClient();
  const [asked, setAsked] = useState<Asked | null>(null);
  const { texts } = useUnfinished();

  async function decide(
    { user, entering }: Asked,
    queue: "keep" | "discard",
    calledOff: AbortSignal,
  ): Promise<Result<void, SignOutFailure>> {
    const now = account.session.snapshot();
    // Asked once more, they may have left already, and who enters may be here.
    const isHere = now.state !== "nobody" && now.person.user === user;
    const left = isHere ? await signOut(account, queue, calledOff) : ok(undefined);
    // Too late to be called off, and the rest isn't done.
    if (left.ok && calledOff.aborted) return failed(failure("unauthenticated"));
    const entered = left.ok ? await entering() : left;
    if (entered.ok) done();
    return entered;
  }

  return {
    enter: async (email, entering) => {
      const was = account.session.snapshot();
      if (was.state !== "nobody" && email?.toLowerCase() !== was.person.email.toLowerCase()) {
        const unsent = await unsentNow(account).catch(() => null);
        if (unsent === null) return failed(failure("offline"));
        const totals = totalsOf(unsent, texts);
        if (totals.count > 0) {
          const { user, name } = was.person;
          setAsked({ user, name, entering, ...totals });
          return ok(false);
        }
      }
      const entered = await entering();
      return entered.ok ? ok(true) : entered;
    },
    dialog: asked && (
      <OtherPerson
        name={asked.name}
        count={asked.count}
        textCount={asked.textCount}
        onDecide={(queue, calledOff) => decide(asked, queue, calledOff)}
        onClose={() => setAsked(null)}
      />
    ),
  };
}

interface OtherPersonProps extends UnsentTotals {
  readonly name: string;
  readonly onDecide: (queue: "keep" | "discard", calledOff: AbortSignal) => Promise<Result<void, SignOutFailure>>;
  readonly onClose: () => void;
}

function OtherPerson({ name, count, textCount, onDecide, onClose }: OtherPersonProps): ReactElement {
  const [fault, setFault] = useState<SignOutFailure | null>(null);
  const [deciding, setDeciding] = useState<AbortController | null>(null);
  const [isStopping, setStopping] = useState(false);
  const heldBack = useHeldBack();
  const { otherPerson: says } = door;

  const giveUp = fault?.isStuck ? () => location.reload() : onClose;

  async function decide(queue: "keep" | "discard"): Promise<void> {
    const calling = new AbortController();
    setDeciding(calling);
    const result = await onDecide(queue, calling.signal);
    setDeciding(null);
    setStopping(false);
    if (!result.ok && calling.signal.aborted && result.error.isStuck !== true) onClose();
    else {
      if (!result.ok) heldBack.failed(result.error, calling);
      setFault(result.ok ? null : result.error);
    }
  }

  function cancel(): void {
    if (deciding === null) return giveUp();
    deciding.abort();
    setStopping(true);
  }

  return (
    <Dialog key={isStopping ? "stopping" : "asking"} title={says.title} onClose={cancel}>
      <p>{says.text(name, count)}</p>
      {textCount > 0 && <p>{unfinishedSays.onlyHere(textCount)}</p>}
      <NotedTexts />
      <FormFault>
        {fault && (heldBack.isHeld && fault.code === "offline" ? s.signOut.unanswered : fault.detail)}
      </FormFault>
      {fault !== null && heldBack.isHeld && <p>{unfinishedSays.heldBack}</p>}
      <DialogActions>
        <Button busy={isStopping} onClick={cancel}>
          {door.cancel}
        </Button>
        {fault?.isHeld !== true && (
          <>
            <SaveUnsent />
            <Button look="danger" busy={deciding !== null} onClick={() => void decide("discard")}>
              {says.discard}
            </Button>
            <Button look="primary" busy={deciding !== null} onClick={() => void decide("keep")}>
              {says.keep}
            </Button>
          </>
        )}
      </DialogActions>
    </Dialog>
  );
}
