// Signing out takes this device's copy away. What isn't delivered yet is never taken without asking.
import { useEffect, useRef, useState, type ReactElement } from "react";
import { detailByHand } from "../form.ts";
import { navigate } from "../navigation.tsx";
import { Button } from "../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../ui/Dialog.tsx";
import { FormFault } from "../../ui/FormFault.tsx";
import { c } from "../../ui/strings-connection.ts";
import { s } from "../../ui/strings-more.ts";
import { t } from "../../ui/strings.ts";
import { unfinishedSays } from "../../ui/strings-unfinished.ts";
import { useUnfinished } from "../composer/use-unfinished.ts";
import { NotedTexts } from "../outbox/NotedTexts.tsx";
import { useLost } from "../outbox/use-lost.ts";
import { SIGN_IN, WELCOME } from "../paths.ts";
import { SaveUnsent } from "../SaveUnsent.tsx";
import { signOut, type SignOutFailure } from "../sign-out.ts";
import { useClient, usePlace, useView } from "../services.ts";
import { useUnsent } from "../unsent.ts";
import { useHeldBack } from "../use-held-back.ts";
import { NO_PROGRESS, progressed, type Progress } from "./delivery-progress.ts";
import { deliveryWaitsFor } from "./delivery-waits.ts";

type State =
  | { readonly name: "asking" }
  /** Until nothing waits any more. */
  | { readonly name: "delivering"; readonly progress: Progress }
  | { readonly name: "busy"; readonly calling: AbortController }
  /** Called off, if it isn't too late: until that is known nothing is written here that would go with the rest. */
  | { readonly name: "stopping" }
  | { readonly name: "failed"; readonly failure: SignOutFailure };

/** Another tab that hangs in the midst of storing keeps all others from reading; ms. */
const LATE_AFTER_MS = 5_000;

export function SignOut({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { account } = useClient();
  const { client } = usePlace();
  const unsent = useUnsent();
  const connection = useView(client.connection);
  const [state, setState] = useState<State>({ name: "asking" });
  const heldBack = useHeldBack();
  const session = useView(account.session);
  const known = unsent.state === "ready" ? unsent.value : null;
  const [waitingCount, refusedCount] = [known?.waiting.size ?? 0, known?.refused.size ?? 0];
  const isUnread = known?.isUnread === true;
  const { texts } = useUnfinished();
  const isNoted = useLost().textCount > 0;
  const isLive = connection.state === "live" || connection.state === "catching-up";
  const count = waitingCount + refusedCount;
  const textCount = texts.length + (known?.draftCount ?? 0);
  // With a network it is synced on the way out.
  const unsyncedCount = known?.unsyncedDraftCount ?? 0;
  const hasTexts = isNoted || textCount + (isLive ? 0 : unsyncedCount) > 0;
  // Not before all is counted: texts alone would be asked about, without what waits.
  const isToBeDecided = known !== null && (count > 0 || isUnread || hasTexts);
  const { signOut: says } = s;
  const isThrough = state.name === "delivering" && unsent.state === "ready" && waitingCount === 0;
  const isChosen = connection.state === "offline" && connection.isChosen === true;
  // Nothing goes before they are back.
  const callOff = useRef<HTMLButtonElement>(null);
  const isOver = connection.state === "signed-out" || session.state === "signed-out";
  const isStuck = state.name === "failed" && state.failure.isStuck === true;
  const isLate = useLate(unsent.state === "loading");
  const isSlow = useLate(state.name === "busy" || state.name === "stopping");

  if (state.name === "delivering" && known !== null && known !== state.progress.from) {
    setState({ name: "delivering", progress: progressed(state.progress, known) });
  }

  async function leave(queue: "none" | "keep" | "discard"): Promise<void> {
    const calling = new AbortController();
    setState({ name: "busy", calling });
    const result = await signOut(account, queue, calling.signal);
    if (result.ok) navigate(WELCOME, { replace: true });
    else if (calling.signal.aborted && result.error.isStuck !== true) onClose();
    else {
      heldBack.failed(result.error, calling);
      setState({ name: "failed", failure: result.error });
    }
  }

  // What was refused on the way is asked about again, and what can't be read any more.
  useEffect(() => {
    if (!isThrough) return;
    // Who delivers first discards nothing.
    if (count === 0 && !isUnread) void leave(hasTexts ? "keep" : "none");
    else setState({ name: "asking" });
    // oxlint-disable-next-line react/exhaustive-deps -- once, at the moment when all is through
  }, [isThrough]);

  // The button that was pressed is gone.
  useEffect(() => {
    if (state.name === "delivering") callOff.current?.focus();
  }, [state.name]);

  /** There may well be a network that they chose to do without, or one by now on which all but this was answered. */
  function whyOf(failure: SignOutFailure): string {
    if (failure.code !== "offline") return detailByHand(failure);
    if (isChosen) return says.waitsFor.choice;
    // While it is held back no tab has a line, so none says whether there is a network.
    return isLive || isOver || heldBack.isHeld ? says.unanswered : failure.detail;
  }

  function deliver(): void {
    heldBack.end();
    setState({ name: "delivering", progress: NO_PROGRESS });
    client.commands.reconnect();
  }

  // They leave this screen to sign in again: nothing will sign them out behind that.
  if (state.name === "delivering" && !isOver) {
    const { delivered, going } = state.progress;
    return (
      // The same one as where it is asked for: another would have nothing to give the focus back to.
      <Dialog key="asking" title={says.title} onClose={onClose}>
        <p key="delivering" role="status">
          {says.delivering(delivered, going.size, refusedCount > 0 || isUnread)}
        </p>
        <progress aria-label={says.deliver} max={going.size} value={delivered} />
        {!isLive && <p>{deliveryWaitsFor(connection)}</p>}
        <DialogActions>
          <Button ref={callOff} onClick={onClose}>
            {s.cancel}
          </Button>
        </DialogActions>
      </Dialog>
    );
  }

  /** As whoever is here by now; everything of this screen may be closed. */
  const giveUp = isStuck ? () => location.reload() : onClose;

  function cancel(): void {
    if (state.name === "stopping") return;
    if (state.name !== "busy") return giveUp();
    state.calling.abort();
    setState({ name: "stopping" });
  }

  if (state.name === "failed" && state.failure.isHeld === true) {
    return (
      <Dialog title={says.title} onClose={giveUp}>
        <p role="alert">{state.failure.detail}</p>
        <DialogActions>
          <Button onClick={giveUp}>{t.close}</Button>
        </DialogActions>
      </Dialog>
    );
  }
  const isLeaving = state.name === "busy" || state.name === "stopping";
  const busy = isLeaving || unsent.state === "loading";
  return (
    // Closed by Escape, it opens anew.
    <Dialog key={state.name === "stopping" ? "stopping" : "asking"} title={says.title} onClose={cancel}>
      <p>{says.text}</p>
      {count > 0 && (
        <p>
          <strong>{says.queueTitle(count)}.</strong>{" "}
          {waitingCount > 0 && !isOver ? says.queueText : unfinishedSays.queueText}{" "}
          {refusedCount > 0 && says.refused(refusedCount)}
        </p>
      )}
      {isOver && waitingCount > 0 && <p>{says.waitsFor.session}</p>}
      {isToBeDecided && textCount + unsyncedCount > 0 && (
        <p>
          {unfinishedSays.onlyHere(textCount + unsyncedCount)} {count === 0 && unfinishedSays.queueText}
        </p>
      )}
      <NotedTexts />
      {isToBeDecided && isNoted && count + textCount + unsyncedCount === 0 && <p>{unfinishedSays.queueText}</p>}
      {isUnread && <p>{says.unread}</p>}
      {isLate && <p role="status">{says.late}</p>}
      {isSlow && <p role="status">{says.slow}</p>}
      <FormFault>{state.name === "failed" ? whyOf(state.failure) : null}</FormFault>
      {state.name === "failed" && heldBack.isHeld && <p>{unfinishedSays.heldBack}</p>}
      <DialogActions>
        <Button busy={state.name === "stopping"} onClick={cancel}>
          {isStuck ? t.close : s.cancel}
        </Button>
        {(isToBeDecided || hasTexts) && <SaveUnsent />}
        {(isToBeDecided || isStuck) && (
          <Button look="danger" busy={busy} onClick={() => void leave("discard")}>
            {says.discard}
          </Button>
        )}
        {isToBeDecided && (
          <Button look={waitingCount > 0 ? "plain" : "primary"} busy={busy} onClick={() => void leave("keep")}>
            {says.keep}
          </Button>
        )}
        {waitingCount > 0 &&
          (isOver ? (
            <SignInAgain />
          ) : (
            <Button look="primary" busy={busy} onClick={deliver}>
              {says.deliver}
            </Button>
          ))}
        {!isToBeDecided && (
          <Button look="primary" busy={busy} onClick={() => void leave("none")}>
            {says.act}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

/** Whether it has gone on for so long that one must hear of it. */
function useLate(isWaiting: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => setLate(true), LATE_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [isWaiting]);
  return isLate;
}

function SignInAgain(): ReactElement {
  return (
    <Button look="primary" onClick={() => navigate(SIGN_IN)}>
      {c.signedOut}
    </Button>
  );
}
