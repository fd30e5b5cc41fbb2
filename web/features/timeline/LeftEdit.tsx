// What one was writing in a message's place when one looked elsewhere: the message says so, for nothing else does. Where it
// may not be edited any more, being deleted or its channel archived meanwhile, nothing offers to edit it: then its words
// stand there all the same, with a way out.
import { useEffect, useEffectEvent, useState, type ReactElement } from "react";
import { normalise } from "#protocol/text.ts";
import type { TimelineMessage } from "../../store/timeline-snapshots.ts";
import { Button } from "../../ui/Button.tsx";
import { unfinishedSays as says } from "../../ui/strings-unfinished.ts";
import { ownerOf, PLACES, wordsHeld } from "../composer/last-words.ts";
import { letGoOfSaid } from "../composer/left-words.ts";
import { useLeftEdit } from "../composer/use-left-edit.ts";
import { wasRefused, type MessageActions } from "./actions.ts";
import { EditMessage } from "./EditMessage.tsx";
import styles from "./LeftEdit.module.css";
import { saveUnderWay } from "./saves.ts";

interface LeftEditProps {
  readonly message: TimelineMessage;
  readonly actions: MessageActions;
}

export function LeftEdit({ message, actions }: LeftEditProps): ReactElement | null {
  if (message.mayEdit || wasRefused(message)) return <Unfinished message={message} actions={actions} />;
  // Of a change that was refused it says why, and what one wrote then is in the Outbox.
  return message.refused === undefined ? <Standing message={message} actions={actions} /> : null;
}

/** It comes back to whoever presses "Edit": this only says so, and leaves it where it is. */
function Unfinished({ message, actions }: LeftEditProps): ReactElement | null {
  const owner = ownerOf(message.author, message.id);
  const [isLeft, setLeft] = useState(() => wordsHeld(owner).length > 0 && saveUnderWay(owner) === undefined);
  const isSaid = (text: string): boolean => normalise(text) === normalise(actions.asTyped(message.text));
  const tell = useEffectEvent((): void => {
    // What is being stored was finished.
    void letGoOfSaid(owner, isSaid).then((isThere) => setLeft(isThere && saveUnderWay(owner) === undefined));
  });

  useEffect(() => {
    function look(): void {
      tell();
      void saveUnderWay(owner)?.then(() => tell());
    }
    const hear = ({ key }: StorageEvent): void => {
      if (key === null || key.startsWith(PLACES + owner)) look();
    };
    const listening = new AbortController();
    look();
    addEventListener("storage", hear, listening);
    // A tab that ends tells nobody.
    addEventListener("focus", look, listening);
    return () => listening.abort();
  }, [owner]);

  if (!isLeft) return null;
  return (
    <p className={styles.unfinished}>
      {says.row}{" "}
      <Button look="quiet" onClick={() => actions.edit(message)}>
        {says.goOn}
      </Button>
    </p>
  );
}

function Standing({ message, actions }: LeftEditProps): ReactElement | null {
  const owner = ownerOf(message.author, message.id);
  const [isLeft, setLeft] = useState(() => wordsHeld(owner).length > 0);

  useLeftEdit(owner, () => setLeft(true));

  if (!isLeft) return null;
  // It comes by itself: whoever types elsewhere goes on there.
  return <EditMessage isUnasked message={message} actions={{ ...actions, stopEditing: () => setLeft(false) }} />;
}
