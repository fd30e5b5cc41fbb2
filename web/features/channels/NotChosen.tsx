// Whether one works offline couldn't be kept: said where the menu was that it was chosen in.
import type { ReactElement } from "react";
import type { Failure } from "#protocol/errors.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../ui/Dialog.tsx";
import { FormFault } from "../../ui/FormFault.tsx";
import { statusSays } from "../../ui/strings-status.ts";
import { o } from "../../ui/strings-offline.ts";
import { t } from "../../ui/strings.ts";
import { navigate } from "../navigation.tsx";
import { OFFLINE } from "../paths-more.ts";

interface NotChosenProps {
  readonly why: Failure;
  readonly onClose: () => void;
}

export function NotChosen({ why, onClose }: NotChosenProps): ReactElement {
  const { workOffline } = statusSays;
  function free(): void {
    onClose();
    navigate(OFFLINE);
  }
  return (
    <Dialog title={workOffline.label} onClose={onClose}>
      <FormFault>{workOffline.notKept(why.detail)}</FormFault>
      <DialogActions>
        <Button onClick={onClose}>{t.close}</Button>
        {why.code === "storage_full" && (
          <Button look="primary" onClick={free}>
            {o.keepLess}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
