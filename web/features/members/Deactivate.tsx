// Asks before somebody is shut out of the workspace.
import type { ReactElement } from "react";
import { Confirm } from "../../ui/Confirm.tsx";
import { s } from "../../ui/strings-more.ts";

interface DeactivateProps {
  readonly name: string;
  readonly onDeactivate: () => void;
  readonly onClose: () => void;
}

export function Deactivate({ name, onDeactivate, onClose }: DeactivateProps): ReactElement {
  const { deactivate: says } = s;
  return (
    <Confirm title={says.title(name)} text={says.text} act={says.act} onConfirm={onDeactivate} onClose={onClose} />
  );
}
