// Everything not yet confirmed by the server, in the order written, with what each waits for and the ways out.
import type { ReactElement } from "react";
import type { AnyOp } from "#protocol/ops/all.ts";
import type { OutboxItem } from "../../store/snapshots.ts";
import { later } from "../../ui/later.tsx";
import { outboxSays as says } from "../../ui/strings-outbox.ts";
import { useBeingSaved } from "../being-saved.ts";
import { editsIn, mendedAt } from "../composer/unfinished.ts";
import { useUnfinished } from "../composer/use-unfinished.ts";
import { useReason } from "../refusal-reason.ts";
import { Screen } from "../Screen.tsx";
import { ignoreSecondPresses, loseAim, takeAim } from "../second-press.ts";
import { usePlace, useView } from "../services.ts";
import { describe, textOf, type Members } from "./describe.ts";
import { DraftRow } from "./DraftRow.tsx";
import { OutOfSight } from "./OutOfSight.tsx";
import { OutboxRow } from "./OutboxRow.tsx";
import { queuedBecause } from "./queued-because.ts";
import { SavingTexts } from "./SavingTexts.tsx";
import { UnfinishedEdits } from "./UnfinishedEdits.tsx";
import { useOutOfSight } from "./use-out-of-sight.ts";
import styles from "./Outbox.module.css";

/** Only for who is in several workspaces. */
const Elsewhere = later(() => import("./Elsewhere.tsx"), "Elsewhere");
/** Also says that nothing waits, where nothing does. */
const LostTexts = later(() => import("./LostTexts.tsx"), "LostTexts");

const BRIEF_MAX_CHARS = 40;

function briefly(change: AnyOp, members: Members, asTyped: (text: string) => string): string {
  const [line = ""] = asTyped(textOf(change) ?? "").split("\n", 1);
  const short = line.length > BRIEF_MAX_CHARS ? `${line.slice(0, BRIEF_MAX_CHARS)}…` : line;
  const what = describe(change, members);
  return short === "" ? what : says.brief(what, short);
}

export function Outbox(): ReactElement {
  const { client } = usePlace();
  const outbox = useView(client.outbox);
  const connection = useView(client.connection);
  const workspace = useView(client.workspace);
  const saving = useBeingSaved();
  const reasonOf = useReason();
  const { texts, giveUp } = useUnfinished();
  const left = useOutOfSight(outbox.state === "ready" ? outbox.value : null);
  if (outbox.state === "loading") return <Screen title={says.title}>{null}</Screen>;
  const { items, drafts, elsewhere, isWhole } = outbox.value;
  const isEmpty = items.length + drafts.length === 0;
  const isNoneLeft = left !== "unplaced" && left?.length === 0;
  const isElseEmpty = isEmpty && saving.length + elsewhere.length === 0 && isNoneLeft;
  const refusedItems = items.filter(({ refusal }) => refusal !== undefined).length;
  const waitingCount = items.length - refusedItems + saving.length;
  const refusedCount = refusedItems + drafts.length;
  const here = workspace.state === "ready" ? workspace.value : undefined;
  const edits = here === undefined ? [] : editsIn(texts, here.ref.id, items);

  function stateOf(item: OutboxItem): string {
    const { state } = says;
    const { refusal } = item;
    if (refusal !== undefined) return reasonOf({ ...item, refusal });
    const before = item.waitsFor === undefined ? undefined : items.find(({ op }) => op === item.waitsFor);
    if (before !== undefined) {
      const what = briefly(before.change, here?.members, client.commands.textToEdit);
      return before.refusal === undefined ? state.waitsFor(what) : state.waitsForRefused(what);
    }
    const isSent = item.delivery === "sending" && connection.state !== "signed-out";
    return isSent ? state.sending : queuedBecause(connection, item.isRoomAway);
  }

  return (
    <Screen title={says.title}>
      <div onPointerMoveCapture={takeAim} onWheelCapture={loseAim} onClickCapture={ignoreSecondPresses}>
        <LostTexts isElseEmpty={isWhole && isElseEmpty && edits.length === 0} />
        {elsewhere.length > 0 && <Elsewhere counts={elsewhere} />}
        {edits.length > 0 && <UnfinishedEdits edits={edits} giveUp={giveUp} />}
        {left === "unplaced" && <p className={styles.lead}>{says.unplaced}</p>}
        {left !== null && left !== "unplaced" && left.length > 0 && <OutOfSight texts={left} />}
        {waitingCount + refusedCount > 0 && (
          <p className={styles.lead}>
            {says.counted(waitingCount, refusedCount)}. {says.lead(waitingCount, refusedCount)}
          </p>
        )}
        {!isEmpty && (
          <ul className={styles.list}>
            {drafts.map((draft) => (
              <DraftRow key={`${draft.channel}.${draft.root ?? ""}`} draft={draft} />
            ))}
            {/* Anew where it is refused since: what was being typed in its place stands there then. */}
            {items.map((item) => (
              <OutboxRow key={`${item.op}.${mendedAt(item)}`} item={item} state={stateOf(item)} />
            ))}
          </ul>
        )}
        {saving.length > 0 && <SavingTexts texts={saving} />}
      </div>
    </Screen>
  );
}
