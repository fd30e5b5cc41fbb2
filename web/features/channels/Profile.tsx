// One's own name, title and status, as the others in this workspace see them.
import type { ReactElement } from "react";
import { EMOJI_MAX_CHARS, PERSON_NAME_MAX_CHARS, STATUS_TEXT_MAX_CHARS, TITLE_MAX_CHARS } from "#protocol/limits.ts";
import type { MemberRow } from "../../store/snapshots.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { s } from "../../ui/strings-more.ts";
import { TextField } from "../../ui/TextField.tsx";
import { DialogForm } from "../DialogForm.tsx";
import { faultOf, useSubmit } from "../form.ts";
import { usePlace } from "../services.ts";

interface ProfileProps {
  readonly me: MemberRow;
  readonly onClose: () => void;
}

export function Profile({ me, onClose }: ProfileProps): ReactElement {
  const { commands } = usePlace().client;
  const { profile: says } = s;
  const [submission, submit] = useSubmit((field) => {
    const [emoji, text] = [field("emoji").trim(), field("status").trim()];
    const name = field("name").trim();
    const title = field("title").trim();
    return commands.updateProfile({
      ...(name === me.name ? {} : { name }),
      ...(title === (me.title ?? "") ? {} : { title }),
      status: emoji === "" && text === "" ? null : { emoji, text },
    });
  }, onClose);

  return (
    <Dialog title={says.title} onClose={onClose}>
      <DialogForm act={says.act} submission={submission} fields={["name", "title"]} onSubmit={submit} onClose={onClose}>
        <TextField
          name="name"
          label={says.name}
          hint={says.nameHint}
          error={faultOf(submission, "name", says.name)}
          defaultValue={me.name}
          maxLength={PERSON_NAME_MAX_CHARS}
          autoComplete="name"
        />
        <TextField
          name="title"
          label={says.role}
          hint={says.roleHint}
          error={faultOf(submission, "title", says.role)}
          defaultValue={me.title ?? ""}
          maxLength={TITLE_MAX_CHARS}
          autoComplete="off"
        />
        <TextField
          name="emoji"
          label={says.emoji}
          defaultValue={me.status?.emoji ?? ""}
          maxLength={EMOJI_MAX_CHARS}
          autoComplete="off"
        />
        <TextField
          name="status"
          label={says.status}
          hint={says.statusHint}
          defaultValue={me.status?.text ?? ""}
          maxLength={STATUS_TEXT_MAX_CHARS}
          autoComplete="off"
        />
      </DialogForm>
    </Dialog>
  );
}
