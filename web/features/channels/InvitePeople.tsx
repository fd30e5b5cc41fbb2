// A link to send to those who should join. It is shown once: only its digest is kept.
import { useRef, useState, type ReactElement } from "react";
import type { InvitationCreated } from "#protocol/http.ts";
import type { WorkspaceSnapshot } from "../../store/snapshots.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../ui/Dialog.tsx";
import { s } from "../../ui/strings-more.ts";
import { TextField } from "../../ui/TextField.tsx";
import { shortDayOf } from "../../ui/time.ts";
import { copy } from "../copy.ts";
import { DialogForm } from "../DialogForm.tsx";
import { useSubmit } from "../form.ts";
import { usePlace } from "../services.ts";
import styles from "./InvitePeople.module.css";

interface InvitePeopleProps {
  readonly workspace: WorkspaceSnapshot;
  readonly onClose: () => void;
}

export function InvitePeople({ workspace, onClose }: InvitePeopleProps): ReactElement {
  const { commands } = usePlace().client;
  const [made, setMade] = useState<InvitationCreated | null>(null);
  const [submission, submit] = useSubmit(
    (field) => commands.invite({ role: field("role") === "guest" ? "guest" : "member" }),
    setMade,
  );
  const { invite: says } = s;
  return (
    <Dialog title={says.title(workspace.ref.name)} onClose={onClose}>
      {made === null ? (
        <DialogForm act={says.act} submission={submission} fields={[]} onSubmit={submit} onClose={onClose}>
          <p>{says.text}</p>
          <label className={styles.role}>
            {says.role}
            <select name="role" className={styles.select}>
              <option value="member">{says.member}</option>
              <option value="guest">{says.guest}</option>
            </select>
          </label>
        </DialogForm>
      ) : (
        <MadeLink made={made} />
      )}
    </Dialog>
  );
}

function MadeLink({ made }: { readonly made: InvitationCreated }): ReactElement {
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  const { invite: says } = s;

  async function copyLink(): Promise<void> {
    field.current?.select();
    setCopied(await copy(made.url));
  }

  return (
    <div className={styles.made}>
      <TextField
        ref={field}
        label={says.link}
        readOnly
        value={made.url}
        onFocus={(event) => event.target.select()}
        hint={says.until(shortDayOf(made.expiresAt), says.uses(made.usesLeft))}
      />
      <DialogActions>
        <Button look="primary" onClick={() => void copyLink()}>
          {isCopied ? says.copied : says.copy}
        </Button>
      </DialogActions>
    </div>
  );
}
