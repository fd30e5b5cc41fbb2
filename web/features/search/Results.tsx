// What was found, each with who said it, where and when, and the words that were asked for marked.
import type { ReactElement } from "react";
import type { UserId } from "#protocol/ids.ts";
import { mayName } from "#protocol/text.ts";
import type { MemberRow } from "../../store/snapshots.ts";
import type { Query } from "../../sync/search/query.ts";
import type { Answered, Result } from "../../sync/search/search.ts";
import type { Order } from "../../sync/search/search-index.ts";
import { Avatar } from "../../ui/Avatar.tsx";
import { ClockIcon } from "../../ui/icons-beside.tsx";
import { t } from "../../ui/strings.ts";
import { q } from "../../ui/strings-search.ts";
import { dayAndClockOf } from "../../ui/moment.ts";
import { Time } from "../../ui/Time.tsx";
import { clockOf, dayOf } from "../../ui/time.ts";
import { useToday } from "../../ui/today.ts";
import { Link } from "../navigation.tsx";
import { channelPath } from "../paths.ts";
import { usePlace, useView } from "../services.ts";
import { snippetOf } from "./snippet.ts";
import styles from "./Search.module.css";

interface ResultsProps {
  readonly answered: Answered;
  readonly query: Query;
  readonly order: Order;
  readonly members: ReadonlyMap<UserId, MemberRow>;
}

export function Results({ answered, query, order, members }: ResultsProps): ReactElement {
  const { client } = usePlace();
  const channels = useView(client.channels);
  const today = useToday();
  const names = new Map(
    channels.state === "ready" ? channels.value.channels.map(({ id, name }) => [id, name] as const) : [],
  );
  const days = answered.results.map(({ message }) => dayOf(message.createdAt, today));
  return (
    <ol className={styles.list} aria-label={q.results}>
      {answered.results.map((result, at) => (
        <li key={result.message.id}>
          {order === "newest" && days[at] !== days[at - 1] && <h2 className={styles.day}>{days[at]}</h2>}
          <ResultLink
            result={result}
            query={query}
            channel={names.get(result.channel) ?? ""}
            members={members}
            showsDay={order !== "newest"}
          />
        </li>
      ))}
    </ol>
  );
}

interface ResultLinkProps extends Pick<ResultsProps, "query" | "members"> {
  readonly result: Result;
  readonly channel: string;
  readonly showsDay: boolean;
}

function ResultLink({ result, query, channel, members, showsDay }: ResultLinkProps): ReactElement {
  const { slug } = usePlace();
  const { message, delivery } = result;
  const nameOf = (user: string): string | undefined =>
    members.get(user as UserId)?.name ?? (mayName(user) ? t.someone : undefined);
  const author = members.get(message.author)?.name ?? t.someone;
  const at = message.createdAt;
  const replyCount = message.replies?.count ?? 0;
  return (
    // What waits has no place in the channel yet: it stands at its end.
    <Link
      href={channelPath(slug, result.channel, delivery === "sent" ? message.id : undefined)}
      className={styles.result}
      data-message-id={message.id}
    >
      <Avatar id={message.author} name={author} picture={members.get(message.author)?.avatar} />
      <span className={styles.what}>
        <span className={styles.context}>
          <bdi className={styles.author}>{author}</bdi>
          <bdi className={styles.channel}>#{channel}</bdi>
          <Time at={at} as={showsDay ? dayAndClockOf : clockOf} />
          {message.root !== undefined && <span>{q.inThread}</span>}
          {replyCount > 0 && <span>{q.replies(replyCount)}</span>}
          <ResultMark result={result} />
        </span>
        <span className={styles.snippet} dir="auto">
          {snippetOf(message.text, query, nameOf).map(({ at, text, isHit }) =>
            isHit ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
          )}
        </span>
      </span>
    </Link>
  );
}

/** Nothing where it stands in the channel as it is shown here. */
function ResultMark({ result }: Pick<ResultLinkProps, "result">): ReactElement | null {
  if (result.delivery === "refused") return <span className={styles.refused}>{q.refused}</span>;
  if (result.delivery === "sent" && !result.hasWaitingChange) return null;
  return (
    <span className={styles.queued}>
      <ClockIcon size={12} />
      {result.delivery === "sent" ? q.changeWaiting : q.queued}
    </span>
  );
}
