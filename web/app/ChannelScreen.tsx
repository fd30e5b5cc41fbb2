// A channel: what was said, where one writes, who is in it. Joins the features that don't know of each other.
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactElement } from "react";
import { navigate, usePath, useSearch } from "../features/navigation.tsx";
import type { Failure } from "#protocol/errors.ts";
import type { ChannelId, MessageId } from "#protocol/ids.ts";
import type { Result } from "#protocol/result.ts";
import { ChannelHeader, type ReadyChannel } from "../features/channels/ChannelHeader.tsx";
import { answer, useAnswered } from "../features/answered.ts";
import { Composer } from "../features/composer/Composer.tsx";
import { focusComposer } from "../features/composer/focus.ts";
import { ownerOf, sending } from "../features/composer/last-words.ts";
import type { DraftStore } from "../features/composer/draft.ts";
import { TypingLine } from "../features/composer/TypingLine.tsx";
import { NotLoaded } from "../features/NotLoaded.tsx";
import { channelPath } from "../features/paths.ts";
import { usePlace, useView } from "../features/services.ts";
import { nameOf, usePeople } from "../features/timeline/people.ts";
import { targetOf, type ReplyTarget } from "../sync/reply-target.ts";
import type { WorkspaceSnapshot } from "../store/snapshots.ts";
import { IconButton } from "../ui/Button.tsx";
import { ErrorBoundary } from "../ui/ErrorBoundary.tsx";
import { CloseIcon } from "../ui/icons.tsx";
import { t } from "../ui/strings.ts";
import { later } from "../ui/later.tsx";
import { useGiveUp } from "./use-give-up.ts";
import type { ActionsAround } from "./channel-actions.ts";
import { lastMine } from "./last-mine.ts";
import { rememberPlace } from "./last-place.ts";
import styles from "./ChannelScreen.module.css";

/** Fetched when the composer stands there: one can write before there is anything to read. */
const ChannelTimeline = later(() => import("./ChannelTimeline.tsx"), "ChannelTimeline", NotLoaded);
const MissingChannel = later(() => import("./MissingChannel.tsx"), "MissingChannel", NotLoaded);
const RefusedChannel = later(() => import("./RefusedChannel.tsx"), "RefusedChannel");
const ChannelPanel = later(() => import("./ChannelPanel.tsx"), "ChannelPanel");
const ClosedChannel = later(() => import("./ClosedChannel.tsx"), "ClosedChannel");
const Replying = later(() => import("./Replying.tsx"), "Replying");

interface ChannelScreenProps {
  readonly id: ChannelId;
  readonly target: MessageId | null;
  readonly workspace: WorkspaceSnapshot;
  /** Told when all that the device holds is shown, or that it is nothing. */
  readonly onShown: () => void;
}

export function ChannelScreen({ id, target, workspace, onShown }: ChannelScreenProps): ReactElement {
  const { slug, client } = usePlace();
  const [view] = useState(() => client.channel(id));
  const snapshot = useView(view);

  useEffect(() => {
    rememberPlace(slug, id);
    client.commands.look(id);
    return () => client.commands.look(null);
  }, [client, slug, id]);

  useEffect(() => {
    if (snapshot.state !== "ready") onShown();
  }, [snapshot, onShown]);

  if (snapshot.state === "loading") return <div aria-busy="true" />;
  if (snapshot.state === "missing") return <MissingChannel id={id} />;
  return <Channel {...{ snapshot, target, workspace, onShown }} />;
}

interface ChannelProps extends Omit<ChannelScreenProps, "id"> {
  readonly snapshot: ReadyChannel;
}

const PANEL = "panel=";

function Channel({ snapshot, target, workspace, onShown }: ChannelProps): ReactElement {
  const { slug, client } = usePlace();
  const { commands } = client;
  const people = usePeople();
  const { id, name } = snapshot.row;
  const shown = `#${name}`;
  const isRefused = snapshot.row.delivery === "refused";
  const [timeline] = useState(() => client.timeline(id));
  const [presenceView] = useState(() => client.presence(id));
  const [draft] = useState<DraftStore>(() => ({
    owner: ownerOf(workspace.me.user, id),
    view: client.draft(id),
    store: (text, over) => commands.setDraft(id, text, undefined, over),
    newId: commands.newMessageId,
    isPosted: (message) => commands.isPosted(id, message),
  }));
  const presence = useView(presenceView);
  const answered = useAnswered(draft.owner);
  const [editing, setEditing] = useState<MessageId | null>(null);
  /** What can't be shown at a message or field: that the device is full, that a message isn't here. */
  const [notice, setNotice] = useState<string | null>(null);
  /** Ways to the target: the same link followed again leads there again. */
  const [way, setWay] = useState(0);
  /** The last message that was written here. */
  const [written, setWritten] = useState<MessageId | null>(null);
  /** Marked so while it was looked at: until one comes again nothing here is seen. */
  const isLeftUnread = useRef(false);
  const path = usePath();
  const search = useSearch();
  const panel = (["members", "pins"] as const).find((name) => search === PANEL + name) ?? null;

  const around = useMemo(
    (): ActionsAround => ({
      channel: id,
      commands,
      timeline,
      linkTo: (message) => location.origin + channelPath(slug, id, message),
      onUnread: () => (isLeftUnread.current = true),
      onReply: (message) => {
        answer(draft.owner, targetOf(message));
        focusComposer();
      },
      onEdit: setEditing,
      onGoTo: (message) => {
        const to = channelPath(slug, id, message);
        setWay((before) => before + 1);
        navigate(to, { replace: to === location.pathname });
      },
      onNotice: setNotice,
    }),
    [commands, draft, id, slug, timeline],
  );

  useGiveUp(editing, setEditing);

  // Its messages are read while the code that shows them is fetched, and before this is painted.
  useLayoutEffect(() => timeline.subscribe(() => undefined), [timeline]);

  useEffect(() => {
    timeline.settled().then(onShown, onShown);
  }, [timeline, onShown]);

  // Nor are the newest read, and taken for seen, where a link leads elsewhere.
  useLayoutEffect(() => {
    if (target === null) return timeline.leaveWay();
    const going = timeline.goTo(target);
    const telling = import("./reaching.ts").then(
      (code) => code.tellOf(client, id, target, going, timeline.stay, setNotice),
      // What would say more isn't here.
      () => {
        timeline.stay();
        void going.then((isThere) => isThere || setNotice(t.notLoaded.text));
      },
    );
    return () => void telling.then((stop) => stop?.());
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the same link once more is another way
  }, [client, id, timeline, target, way]);

  async function run(command: Promise<Result<unknown, Failure>>): Promise<void> {
    const result = await command;
    if (!result.ok) setNotice(result.error.detail);
  }

  async function send(
    text: string,
    message: MessageId,
    over: readonly string[],
    answers: ReplyTarget | null,
  ): Promise<Result<MessageId, Failure>> {
    const result = await commands.post(id, text, answers ?? undefined, message, over);
    if (result.ok) {
      setWritten(result.value);
      // Who writes on keeps nothing for later: as soon as this has its place, all up to there is seen.
      isLeftUnread.current = false;
      // Whatever it said of what was being written is past.
      setNotice(null);
      const now = timeline.snapshot();
      // What one writes is seen, also by who was reading far up, or was on the way there.
      if (now.state === "loading" || now.newer !== "nothing") timeline.goToNewest();
    }
    return result;
  }

  const stopReplying = (): void => answer(draft.owner, null);
  const closePanel = (): void => navigate(path, { replace: true });
  const open = (which: "members" | "pins"): void =>
    which === panel ? closePanel() : navigate(`${path}?${PANEL}${which}`);

  return (
    <div className={styles.channel}>
      <div className={styles.column}>
        <ChannelHeader
          snapshot={snapshot}
          presence={presence}
          isShowingMembers={panel === "members"}
          onToggleMembers={() => open("members")}
          onPins={() => open("pins")}
          onRun={(command) => void run(command)}
        />
        <ErrorBoundary>
          <ChannelTimeline
            window={timeline}
            channel={shown}
            around={around}
            editing={editing}
            target={target}
            way={way}
            written={written}
            onSeen={(seq) => commands.markRead(id, seq, isLeftUnread.current)}
            workspace={workspace}
          />
        </ErrorBoundary>
        {isRefused && <RefusedChannel row={snapshot.row} />}
        {notice !== null && (
          <p role="alert" className={styles.notice}>
            {notice}
            <IconButton label={t.close} onClick={() => setNotice(null)}>
              <CloseIcon size={14} />
            </IconButton>
          </p>
        )}
        <TypingLine names={presence.typing.map((user) => nameOf(people, user))} />
        {snapshot.closed === null ? (
          <Composer
            channel={shown}
            members={snapshot.members}
            draft={draft}
            asTyped={commands.textToEdit}
            replying={
              answered !== null && (
                <Replying
                  key={answered}
                  channel={id}
                  to={answered}
                  onStop={stopReplying}
                  onGone={(said) => {
                    stopReplying();
                    setNotice(said);
                  }}
                />
              )
            }
            onTyping={() => commands.typing(id)}
            onSend={send}
            // What was just sent, though it stands nowhere yet.
            onEditLast={() => setEditing(sending(draft.owner)?.id ?? lastMine(timeline.snapshot()))}
            onEscape={() => {
              const now = timeline.snapshot();
              if (answered !== null) stopReplying();
              else if (now.state === "ready") {
                isLeftUnread.current = false;
                commands.markRead(id, Math.min(now.heardTo, now.top));
              }
            }}
          />
        ) : (
          <ClosedChannel why={snapshot.closed} onJoin={() => void run(commands.joinChannel(id))} />
        )}
      </div>
      {panel !== null && (
        <ChannelPanel
          of={panel}
          snapshot={snapshot}
          workspace={workspace}
          presence={presence}
          around={around}
          onClose={closePanel}
        />
      )}
    </div>
  );
}
