// Search over all that this device holds: one field, its filters completed as one types, and what was found.
import { useEffect, useRef, useState, type KeyboardEvent, type ReactElement } from "react";
import type { WorkspaceSnapshot } from "../../store/snapshots.ts";
import type { Order } from "../../sync/search/search-index.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { CloseIcon } from "../../ui/icons.tsx";
import { SearchIcon } from "../../ui/icons-sidebar.tsx";
import { optionId } from "../../ui/OptionList.tsx";
import { isSearchKey } from "../../ui/search-key.ts";
import { q } from "../../ui/strings-search.ts";
import { useToday } from "../../ui/today.ts";
import { navigate } from "../navigation.tsx";
import { searchPath } from "../paths-more.ts";
import { Screen } from "../Screen.tsx";
import { usePlace, useView } from "../services.ts";
import { COMPLETION_LIST, CompletionList } from "./CompletionList.tsx";
import { completionsAt, type Completion } from "./completions.ts";
import { Extent, Faults, NothingFound } from "./Extent.tsx";
import { Hints } from "./Hints.tsx";
import { Results } from "./Results.tsx";
import { searchSession, type SearchSnapshot } from "./session.ts";
import styles from "./Search.module.css";

const ORDERS: readonly Order[] = ["newest", "best"];
/** The address follows after a pause: browsers count how often it changes. */
const ADDRESS_AFTER_MS = 400;

export function SearchScreen({ workspace }: { readonly workspace: WorkspaceSnapshot }): ReactElement {
  const { slug, client } = usePlace();
  const [session] = useState(() => searchSession(client, fromAddress(), reportError));
  const snapshot = useView(session);
  const { typed, order, answered } = snapshot;
  const today = useToday();
  const [caret, setCaret] = useState(typed.length);
  /** Of the completions; -1 for none, so that Enter goes to the results. */
  const [chosen, setChosen] = useState(-1);
  /** The text for which they were put away. */
  const [closedAt, setClosedAt] = useState<string | null>(typed);
  const field = useRef<HTMLInputElement>(null);
  const results = useRef<HTMLDivElement>(null);
  const address = addressOf(slug, snapshot);

  useEffect(() => {
    const timer = setTimeout(() => navigate(address, { replace: true }), ADDRESS_AFTER_MS);
    return () => clearTimeout(timer);
  }, [address]);

  useEffect(() => {
    field.current?.focus();
    function onKeyDown(event: globalThis.KeyboardEvent): void {
      if (!isSearchKey(event)) return;
      event.preventDefault();
      field.current?.select();
    }
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);

  const offered =
    snapshot.directory === null || closedAt === typed ? null : completionsAt(typed, caret, snapshot.directory, today);

  function type(next: string, at = next.length): void {
    session.type(next);
    setCaret(at);
    setChosen(-1);
    setClosedAt(null);
  }

  function complete({ insert }: Completion): void {
    if (offered === null) return;
    const before = typed.slice(0, offered.from) + insert;
    const after = typed.slice(offered.to).trimStart();
    type(before + after, before.length);
    // The caret behind what was put in, once it stands there.
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(before.length, before.length);
    });
  }

  function add(text: string): void {
    type(`${typed.trimEnd()}${typed.trim() === "" ? "" : " "}${text}`);
    field.current?.focus();
  }

  function onFieldKey(event: KeyboardEvent): void {
    // What an input method composes is its business. Safari says by this code alone that Enter ended a composition.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const count = offered?.options.length ?? 0;
    const option = offered?.options[event.key === "Tab" ? Math.max(chosen, 0) : chosen];
    switch (event.key) {
      case "ArrowDown":
        if (count > 0) setChosen((chosen + 1) % count);
        else if (!focusResult(results.current, 0)) return;
        return event.preventDefault();
      case "ArrowUp":
        if (count === 0) return;
        setChosen((Math.max(chosen, 0) + count - 1) % count);
        return event.preventDefault();
      case "Tab":
      case "Enter":
        if (option !== undefined && !event.shiftKey) complete(option);
        else if (event.key === "Tab" || !focusResult(results.current, 0)) return;
        return event.preventDefault();
      case "Escape":
        event.preventDefault();
        if (offered === null) history.back();
        else setClosedAt(typed);
    }
  }

  function onResultKey(event: KeyboardEvent): void {
    const links = linksIn(results.current);
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    if (at < 0) return;
    if (event.key === "ArrowDown") focusResult(results.current, at + 1);
    else if (event.key === "ArrowUp" && at > 0) focusResult(results.current, at - 1);
    else if (event.key === "Home") focusResult(results.current, 0);
    else if (event.key === "End") focusResult(results.current, links.length - 1);
    else if (event.key === "ArrowUp" || event.key === "Escape") field.current?.focus();
    else return;
    event.preventDefault();
  }

  return (
    <Screen title={q.title}>
      <div className={styles.top}>
        <div className={styles.field}>
          <SearchIcon />
          <input
            ref={field}
            type="search"
            className={styles.input}
            aria-label={q.title}
            placeholder={q.placeholder}
            value={typed}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            enterKeyHint="search"
            dir="auto"
            aria-autocomplete="list"
            aria-controls={offered === null ? undefined : COMPLETION_LIST}
            aria-activedescendant={offered === null || chosen < 0 ? undefined : optionId(COMPLETION_LIST, chosen)}
            onChange={({ target }) => type(target.value, target.selectionStart ?? target.value.length)}
            onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart ?? typed.length)}
            onKeyDown={onFieldKey}
          />
          {typed !== "" && (
            <IconButton
              label={q.clear}
              onClick={() => {
                type("");
                field.current?.focus();
              }}
            >
              <CloseIcon size={14} />
            </IconButton>
          )}
          {offered !== null && <CompletionList options={offered.options} chosen={chosen} onChoose={complete} />}
        </div>
        <Faults faults={answered?.faults ?? []} />
        <Extent snapshot={snapshot} onRetry={session.retry} />
      </div>
      {answered !== null && answered.query !== null && (
        <>
          <div className={styles.found}>
            <p role="status">{q.total(answered.total)}</p>
            <fieldset className={styles.orders}>
              <legend className={styles.legend}>{q.order}</legend>
              {ORDERS.map((each) => (
                <label key={each} className={styles.order}>
                  <input type="radio" name="order" checked={each === order} onChange={() => session.sort(each)} />
                  {q.orders[each]}
                </label>
              ))}
            </fieldset>
          </div>
          {answered.results.length === 0 ? (
            <NothingFound isReading={snapshot.todo > 0 || snapshot.state === "opening"} />
          ) : (
            <div
              ref={results}
              role="presentation"
              onKeyDown={onResultKey}
              // The way back leads to what was found.
              onClickCapture={() => navigate(address, { replace: true })}
            >
              <Results answered={answered} query={answered.query} order={order} members={workspace.members} />
              {answered.results.length < answered.total && (
                <Button className={styles.more ?? ""} onClick={session.more}>
                  {q.more}
                </Button>
              )}
            </div>
          )}
        </>
      )}
      {typed.trim() === "" && <Hints onAdd={add} />}
    </Screen>
  );
}

function linksIn(results: HTMLElement | null): HTMLAnchorElement[] {
  return [...(results?.querySelectorAll<HTMLAnchorElement>("li > a") ?? [])];
}

function focusResult(results: HTMLElement | null, at: number): boolean {
  const link = linksIn(results)[at];
  link?.focus();
  // Its day stands above it.
  link?.scrollIntoView({ block: at === 0 ? "center" : "nearest" });
  return link !== undefined;
}

function fromAddress(): Pick<SearchSnapshot, "typed" | "order"> {
  const asked = new URLSearchParams(location.search);
  return { typed: asked.get("q") ?? "", order: asked.get("order") === "best" ? "best" : "newest" };
}

function addressOf(slug: string, { typed, order }: SearchSnapshot): string {
  const asked = new URLSearchParams();
  if (typed.trim() !== "") asked.set("q", typed);
  if (order === "best") asked.set("order", order);
  return asked.size === 0 ? searchPath(slug) : `${searchPath(slug)}?${asked.toString()}`;
}
