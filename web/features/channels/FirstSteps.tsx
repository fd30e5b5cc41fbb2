// A channel in which nobody has written yet: what works here, and in a new workspace what to do first.
import { useState, type ReactElement } from "react";
import type { ChannelId } from "#protocol/ids.ts";
import type { WorkspaceSnapshot } from "../../store/snapshots.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { CloseIcon } from "../../ui/icons.tsx";
import { install, installOffer } from "../../ui/install.ts";
import { s } from "../../ui/strings-more.ts";
import { usePlace, useView } from "../services.ts";
import { firstSteps } from "./first-steps.ts";
import styles from "./FirstSteps.module.css";

interface FirstStepsProps {
  readonly id: ChannelId;
  readonly workspace: WorkspaceSnapshot;
  readonly onInvite: () => void;
}

export function FirstSteps({ id, workspace, onInvite }: FirstStepsProps): ReactElement | null {
  const { client } = usePlace();
  const [view] = useState(() => client.channel(id));
  const channel = useView(view);
  const isPutAway = useView(firstSteps);
  const canInstall = useView(installOffer);
  const { firstSteps: says } = s;
  const isNew = workspace.mayInvite && workspace.members.size <= 1;

  // Archived, not one's own, or refused: nobody is asked to write where they can't.
  if (channel.state !== "ready" || channel.closed !== null || channel.row.delivery === "refused") return null;
  return (
    <EmptyState title={says.title(`#${channel.row.name}`)}>
      <p>{says.text}</p>
      {isNew && !isPutAway && (
        <section className={styles.card} aria-label={says.checklist}>
          <IconButton label={says.dismiss} className={styles.dismiss} onClick={firstSteps.putAway}>
            <CloseIcon size={14} />
          </IconButton>
          <ol className={styles.steps}>
            <li className={styles.step}>
              <div>
                <strong>{says.invite}</strong>
                <p>{says.inviteText}</p>
              </div>
              <Button onClick={onInvite}>{s.workspaceMenu.invite}</Button>
            </li>
            {canInstall && (
              <li className={styles.step}>
                <div>
                  <strong>{says.install}</strong>
                  <p>{says.installText}</p>
                </div>
                <Button onClick={() => void install()}>{s.account.install}</Button>
              </li>
            )}
            <li className={styles.step}>
              <div>
                <strong>{says.offline}</strong>
                <p>{says.offlineText}</p>
              </div>
            </li>
          </ol>
        </section>
      )}
    </EmptyState>
  );
}
