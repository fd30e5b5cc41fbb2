import type { MouseEvent } from "react";
import { isTouch } from "../../ui/media.ts";
import { focusComposer } from "../composer/focus.ts";

/** Who acted by a pointer goes on at the composer: Enter and Space would take it back. */
export function leave({ detail, target }: MouseEvent): void {
  const isPointer = detail > 0 && !isTouch();
  if (isPointer && !(target as Element).closest("[aria-haspopup]")) focusComposer();
}
