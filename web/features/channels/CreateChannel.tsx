// A new channel: it is there at once, also offline, and can be written in before the room knows it.
import type { ReactElement } from "react";
import { navigate } from "../navigation.tsx";
import { TOPIC_MAX_CHARS } from "#protocol/field-limits.ts";
import { CHANNEL_NAME_MAX_CHARS } from "#protocol/limits.ts";
import { parse } from "#protocol/parse.ts";
import { suggestChannelName } from "#protocol/channel-name.ts";
import { channelName } from "#protocol/text-schema.ts";
import type { WorkspaceSnapshot } from "../../store/snapshots.ts";
import { Checkbox } from "../../ui/Checkbox.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { s } from "../../ui/strings-more.ts";
import { TextField } from "../../ui/TextField.tsx";
import { DialogForm } from "../DialogForm.tsx";
import { faultOf, useSubmit } from "../form.ts";
import { channelPath } from "../paths.ts";
import { usePlace } from "../services.ts";

interface CreateChannelProps {
  readonly workspace: WorkspaceSnapshot;
  readonly onClose: () => void;
}

export function CreateChannel({ workspace, onClose }: CreateChannelProps): ReactElement {
  const { slug, client } = usePlace();
  const { mayCreatePublic, mayCreatePrivate } = workspace;
  const { createChannel: says, form } = s;

  const [submission, submit] = useSubmit(
    (field) => {
      const valid = parse(channelName, suggestChannelName(field("name")));
      if (!valid.ok) return { ok: false, error: { ...valid.error, detail: `name ${says.nameHint}` } };
      return client.commands.createChannel({
        name: valid.value,
        access: field("private") === "on" || !mayCreatePublic ? "private" : "public",
        topic: field("topic"),
      });
    },
    (channel) => {
      onClose();
      navigate(channelPath(slug, channel));
    },
  );

  return (
    <Dialog title={says.title} onClose={onClose}>
      <DialogForm act={says.act} submission={submission} fields={["name"]} onSubmit={submit} onClose={onClose}>
        <TextField
          name="name"
          label={form.channelName}
          prefix="#"
          hint={says.nameHint}
          error={faultOf(submission, "name", form.channelName)}
          // What can't stand in a name turns into what can while one types it; what an input method composes, once it has.
          onChange={({ target, nativeEvent }) => {
            if (!(nativeEvent as InputEvent).isComposing) toNearest(target);
          }}
          onCompositionEnd={({ currentTarget }) => toNearest(currentTarget)}
          maxLength={CHANNEL_NAME_MAX_CHARS}
          autoComplete="off"
          autoCapitalize="none"
        />
        <TextField
          name="topic"
          label={form.topic}
          hint={says.topicHint}
          maxLength={TOPIC_MAX_CHARS}
          autoComplete="off"
        />
        {mayCreatePublic && mayCreatePrivate && (
          <Checkbox name="private" label={says.private} hint={says.privateHint} />
        )}
      </DialogForm>
    </Dialog>
  );
}

/** The caret stays behind what it stood behind. */
function toNearest(field: HTMLInputElement): void {
  const { value, selectionStart } = field;
  const nearest = nearestName(value);
  if (nearest === value) return;
  field.value = nearest;
  const caret = nearestName(value.slice(0, selectionStart ?? value.length)).length;
  field.setSelectionRange(caret, caret);
}

/** A space just typed becomes the dash before the next word. */
function nearestName(typed: string): string {
  return suggestChannelName(typed.trimStart().replace(/\s$/, "-"));
}
