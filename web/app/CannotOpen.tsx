// The database on this device can't be opened: by an older build than the one that wrote it, or for a reason unknown.
import type { ReactElement } from "react";
import { Button } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { laterCode } from "../ui/later.tsx";
import { t } from "../ui/strings.ts";

const useCatalogue = laterCode(() => import("#protocol/errors.ts"));

export function CannotOpen({ reason }: { readonly reason: unknown }): ReactElement {
  const isNewer = reason instanceof DOMException && reason.name === "VersionError";
  const catalogue = useCatalogue(isNewer);
  return (
    <EmptyState
      title={t.broken.cannotOpen}
      action={
        <Button look="primary" onClick={() => location.reload()}>
          {t.broken.reload}
        </Button>
      }
    >
      {catalogue?.failure("upgrade_required").detail ?? t.broken.text}
    </EmptyState>
  );
}
