// The dialogs of the channel menu: topic, name, and the two that ask before they act. What is typed is kept until it is
// stored or given up: should its channel go out of sight, and the dialog with it, it is in the Outbox.
import { useEffect, useRef, useState, type ReactElement } from "react";
import { navigate } from "../navigation.tsx";
import type { Failure } from "#protocol/errors.ts";
import type { MessageId } from "#protocol/ids.ts";
import { TOPIC_MAX_CHARS } from "#protocol/field-limits.ts";
import { CHANNEL_NAME_MAX_CHARS } from "#protocol/limits.ts";
import { ok, type Result } from "#protocol/result.ts";
import { suggestChannelName } from "#protocol/channel-name.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { s } from "../../ui/strings-more.ts";
import { TextField } from "../../ui/TextField.tsx";
import { holdWords, letGo, ownerOf, wordsHeld } from "../composer/last-words.ts";
import { DialogForm } from "../DialogForm.tsx";
import { faultOf, useSubmit } from "../form.ts";
import { workspacePath } from "../paths.ts";
import { usePlace, useView } from "../services.ts";
import type { OpenChannelDialog, ReadyChannel } from "./ChannelHeader.tsx";
import { leaveTextOf } from "./leave-text.ts";

interface ChannelDialogProps {
  readonly dialog: OpenChannelDialog;
  readonly snapshot: ReadyChannel;
  readonly onClose: () => void;
}

/** What differs between the four. */
interface Parts {
  readonly title: string;
  readonly text?: string;
  readonly act: string;
  readonly isDangerous?: boolean;
  readonly field?: {
    readonly name: "topic" | "name";
    readonly label: string;
    readonly value: string;
    readonly maxLength: number;
    readonly prefix?: string;
  };
  readonly run: (typed: string) => Promise<Result<void, Failure>>;
  readonly after?: () => void;
}

export function ChannelDialog({ dialog, snapshot, onClose }: ChannelDialogProps): ReactElement {
  const { slug, client } = usePlace();
  const workspace = useView(client.workspace);
  const here = workspace.state === "ready" ? workspace.value : undefined;
  const isGuest = here?.me.role === "guest";
  const parts = partsOf(dialog, snapshot, client.commands, isGuest, () => navigate(workspacePath(slug)));
  const { title, text, act, field, isDangerous = false } = parts;
  // What is left as it was is not to take back what somebody else has set since; a channel that was refused is tried again.
  const [begun] = useState(field?.value);
  const owner = ownerOf(here?.me.user ?? "", `${dialog}-${snapshot.row.id}`);
  // They are no message's, and known by what they are about.
  const id = snapshot.row.id as string as MessageId;
  const [typedBefore] = useState(() => wordsHeld(owner)[0]?.text);
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => void (isOpen.current = false);
  }, []);

  /** By the person; its element also says that it closed when it goes with its channel. */
  function close(): void {
    if (!isOpen.current) return;
    // Until it is saved it stays: the disk may fail.
    if (submission.state !== "busy") letGo(owner, id);
    onClose();
  }

  function keep(text: string): void {
    if (text === begun) return letGo(owner, id);
    const where = { channel: snapshot.row.id, ...(here && { workspace: here.ref.id }) };
    holdWords(owner, { id, text, over: begun ?? "", isSent: false, ...where });
  }

  const [submission, submit] = useSubmit(
    async (read) => {
      const words = read(field?.name ?? "");
      const typed = words.trim();
      const isAsItWas = field !== undefined && typed === begun && snapshot.row.delivery !== "refused";
      const result = isAsItWas ? ok(undefined) : await parts.run(typed);
      // Left meanwhile, it may be open again, with more.
      if (result.ok && wordsHeld(owner)[0]?.text === words) letGo(owner, id);
      return result;
    },
    () => {
      onClose();
      parts.after?.();
    },
  );

  return (
    <Dialog title={title} onClose={close}>
      <DialogForm
        act={act}
        isDangerous={isDangerous}
        submission={submission}
        fields={field === undefined ? [] : [field.name]}
        onSubmit={submit}
        onClose={close}
      >
        {text !== undefined && <p>{text}</p>}
        {field !== undefined && (
          <TextField
            name={field.name}
            label={field.label}
            prefix={field.prefix}
            defaultValue={typedBefore ?? begun}
            onChange={({ target }) => keep(target.value)}
            maxLength={field.maxLength}
            readOnly={submission.state === "busy"}
            error={faultOf(submission, field.name, field.label)}
            autoComplete="off"
          />
        )}
      </DialogForm>
    </Dialog>
  );
}

type Commands = ReturnType<typeof usePlace>["client"]["commands"];

function partsOf(
  dialog: OpenChannelDialog,
  { row, channel, members }: ReadyChannel,
  commands: Commands,
  isGuest: boolean,
  leave: () => void,
): Parts {
  const says = s.channelDialog;
  const shown = `#${row.name}`;
  switch (dialog) {
    case "topic":
      return {
        title: says.topicTitle(shown),
        act: says.topicAct,
        field: { name: "topic", label: s.form.topic, value: channel.topic, maxLength: TOPIC_MAX_CHARS },
        run: (typed) => commands.setTopic(row.id, typed),
      };
    case "rename":
      return {
        title: says.renameTitle(shown),
        act: says.renameAct,
        field: {
          name: "name",
          label: s.form.channelName,
          value: row.name,
          maxLength: CHANNEL_NAME_MAX_CHARS,
          prefix: "#",
        },
        run: (typed) => commands.renameChannel(row.id, suggestChannelName(typed)),
      };
    case "archive":
      return {
        title: says.archiveTitle(shown),
        text: says.archiveText,
        act: says.archiveAct,
        isDangerous: true,
        run: () => commands.archiveChannel(row.id, true),
      };
    case "leave":
      return {
        title: says.leaveTitle(shown),
        text: leaveTextOf(row, members, isGuest),
        act: says.leaveAct,
        isDangerous: true,
        run: () => commands.leaveChannel(row.id),
        after: leave,
      };
  }
}
