// The timeline without a pointer: arrows move through messages, letters act on the one that they led to.
import type { KeyboardEvent } from "react";

/** key → the action's button in the focused message */
const LETTERS: Readonly<Record<string, string>> = { e: "edit", r: "react", t: "reply", p: "pin" };

/** @param toNewest where End leads from a message: the list may end before it */
export function moveByKey(event: KeyboardEvent<HTMLElement>, toNewest: () => void): void {
  const { target, currentTarget, key } = event;
  if (!(target instanceof HTMLElement)) return;
  // Held down, Enter would press again and again, and undo what it did.
  if (key === "Enter" && event.repeat && target.tagName === "BUTTON") return event.preventDefault();
  if (key === "End" && target.tagName === "ARTICLE" && !event.altKey) return toNewest();
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.closest("[popover], textarea, input") !== null) return;
  const article = target.closest("article");
  if (key === "ArrowUp" || key === "ArrowDown") {
    const all = [...currentTarget.querySelectorAll("article")];
    const at = article === null ? all.length : all.indexOf(article);
    const next = all[key === "ArrowUp" ? at - 1 : at + 1];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
    next.scrollIntoView({ block: "nearest" });
  } else if (target === article && LETTERS[key] !== undefined) {
    event.preventDefault();
    // What follows an order that is waited for was meant for where it leads; a key that is held is one order.
    if (awaited !== article && !event.repeat) actOn(article, LETTERS[key]);
  }
}

/** The message that an order to is waited for. */
let awaited: Element | null = null;

/** The actions of a message come with the focus, and their code with the first of them: who types ahead is waited for. */
function actOn(article: Element, action: string): void {
  const act = (): boolean => {
    const toolbar = article.querySelector("[role=toolbar]");
    toolbar?.querySelector<HTMLElement>(`[data-action="${action}"]`)?.click();
    return toolbar !== null;
  };
  if (act()) return;
  awaited = article;
  const coming = new MutationObserver(() => {
    if (document.activeElement !== article || act()) end();
  });
  function end(): void {
    coming.disconnect();
    if (awaited === article) awaited = null;
  }
  coming.observe(article, { childList: true, subtree: true });
  article.addEventListener("focusout", end, { once: true });
}
