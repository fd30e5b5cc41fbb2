// A channel that isn't here, or not for this person, or not yet.
import type { ReactElement } from "react";
import type { ChannelId } from "#protocol/ids.ts";
import { useUnfinished } from "../features/composer/use-unfinished.ts";
import { Link } from "../features/navigation.tsx";
import { hasKeptWords } from "../features/outbox/kept-in.ts";
import { outboxPath } from "../features/paths-more.ts";
import { browsePath } from "../features/paths.ts";
import { Screen } from "../features/Screen.tsx";
import { usePlace, useView } from "../features/services.ts";
import { EmptyState } from "../ui/EmptyState.tsx";
import { s } from "../ui/strings-more.ts";
import { outboxSays } from "../ui/strings-outbox.ts";
import { t } from "../ui/strings.ts";

export function MissingChannel({ id }: { readonly id: ChannelId }): ReactElement {
  const { slug, client } = usePlace();
  const outbox = useView(client.outbox);
  const { texts } = useUnfinished();
  const edits = texts.filter(({ isEdit }) => isEdit);
  const hasKept = outbox.state === "ready" && hasKeptWords(outbox.value, edits, id);
  const { title, text, kept, browse } = s.missingChannel;
  return (
    <Screen title={t.channel.allChannels}>
      <EmptyState title={title} action={<Link href={browsePath(slug)}>{browse}</Link>}>
        {text}
        {hasKept && (
          <p>
            {kept} <Link href={outboxPath(slug)}>{outboxSays.title}</Link>
          </p>
        )}
      </EmptyState>
    </Screen>
  );
}
