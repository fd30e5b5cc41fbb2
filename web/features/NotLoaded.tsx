// A screen whose code isn't on this device and can't be fetched now.
import type { ReactElement } from "react";
import { Button } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { t } from "../ui/strings.ts";

export function NotLoaded(): ReactElement {
  return (
    <EmptyState title={t.notLoaded.title} action={<Button onClick={() => location.reload()}>{t.broken.reload}</Button>}>
      {t.notLoaded.text}
    </EmptyState>
  );
}
