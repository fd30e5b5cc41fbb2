// The form in a dialog: fields, what is wrong with it as a whole, and the two buttons.
import type { FormEvent, ReactElement, ReactNode } from "react";
import { Button } from "../ui/Button.tsx";
import { DialogActions } from "../ui/Dialog.tsx";
import { FormFault } from "../ui/FormFault.tsx";
import { s } from "../ui/strings-more.ts";
import { formFault, type Submission } from "./form.ts";

interface DialogFormProps {
  readonly act: string;
  readonly isDangerous?: boolean;
  readonly submission: Submission;
  /** The fields that show their own faults. */
  readonly fields: readonly string[];
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

export function DialogForm(props: DialogFormProps): ReactElement {
  const { act, isDangerous = false, submission, fields, onSubmit, onClose, children } = props;
  return (
    <form onSubmit={onSubmit} noValidate>
      {children}
      <FormFault>{formFault(submission, fields)}</FormFault>
      <DialogActions>
        <Button onClick={onClose}>{s.cancel}</Button>
        <Button type="submit" look={isDangerous ? "danger" : "primary"} busy={submission.state === "busy"}>
          {act}
        </Button>
      </DialogActions>
    </form>
  );
}
