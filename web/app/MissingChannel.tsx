// A channel that isn't here, or not for this person, or not yet.
import type { ReactElement } from "react";
import { Link } from "../features/navigation.tsx";
import { browsePath } from "../features/paths.ts";
import { Screen } from "../features/Screen.tsx";
import { usePlace } from "../features/services.ts";
import { EmptyState } from "../ui/EmptyState.tsx";
import { s } from "../ui/strings-more.ts";
import { t } from "../ui/strings.ts";

export function MissingChannel(): ReactElement {
  const { slug } = usePlace();
  const { title, text, browse } = s.missingChannel;
  return (
    <Screen title={t.channel.allChannels}>
      <EmptyState title={title} action={<Link href={browsePath(slug)}>{browse}</Link>}>
        {text}
      </EmptyState>
    </Screen>
  );
}
