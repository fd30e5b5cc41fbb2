// The timeline without a pointer: arrows move through messages, letters act on the one that is focused.
import type { KeyboardEvent } from "react";

/** key → the action's button in the focused message */
const LETTERS: Readonly<Record<string, string>> = { e: "edit", r: "react", t: "reply", p: "pin" };

export function moveByKey(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget, key } = event;
  if (!(target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
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
    article.querySelector<HTMLElement>(`[data-action="${LETTERS[key]}"]`)?.click();
  }
}
