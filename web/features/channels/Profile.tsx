// One's own name, title and status, as the others in this workspace see them.
import { useState, type ReactElement } from "react";
import {
  EMOJI_MAX_CHARS,
  PERSON_NAME_MAX_CHARS,
  STATUS_TEXT_MAX_CHARS,
  TITLE_MAX_CHARS,
} from "#protocol/field-limits.ts";
import type { MemberRow } from "../../store/snapshots.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { s } from "../../ui/strings-more.ts";
import { TextField } from "../../ui/TextField.tsx";
import { DialogForm } from "../DialogForm.tsx";
import { faultOf, useSubmit } from "../form.ts";
import { usePlace } from "../services.ts";
import { changedSince } from "./changed-profile.ts";

interface ProfileProps {
  readonly me: MemberRow;
  readonly onClose: () => void;
}

export function Profile({ me, onClose }: ProfileProps): ReactElement {
  const { commands } = usePlace().client;
  const { profile: says } = s;
  // What is left as it was is not to take back what another device has set since.
  const [begun] = useState(me);
  const [submission, submit] = useSubmit((field) => {
    return commands.updateProfile(changedSince(begun, me, field));
  }, onClose);

  return (
    <Dialog title={says.title} onClose={onClose}>
      <DialogForm act={says.act} submission={submission} fields={["name", "title"]} onSubmit={submit} onClose={onClose}>
        <TextField
          name="name"
          label={says.name}
          hint={says.nameHint}
          error={faultOf(submission, "name", says.name)}
          defaultValue={begun.name}
          maxLength={PERSON_NAME_MAX_CHARS}
          autoComplete="name"
        />
        <TextField
          name="title"
          label={says.role}
          hint={says.roleHint}
          error={faultOf(submission, "title", says.role)}
          defaultValue={begun.title ?? ""}
          maxLength={TITLE_MAX_CHARS}
          autoComplete="off"
        />
        <TextField
          name="emoji"
          label={says.emoji}
          defaultValue={begun.status?.emoji ?? ""}
          maxLength={EMOJI_MAX_CHARS}
          autoComplete="off"
        />
        <TextField
          name="status"
          label={says.status}
          hint={says.statusHint}
          defaultValue={begun.status?.text ?? ""}
          maxLength={STATUS_TEXT_MAX_CHARS}
          autoComplete="off"
        />
      </DialogForm>
    </Dialog>
  );
}
