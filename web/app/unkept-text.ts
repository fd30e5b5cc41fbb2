// What a reload would take: text in a field that no draft keeps, and in a browser that keeps nothing all that isn't
// delivered. Composers say of themselves that theirs is kept.
const FIELDS = "textarea, input:not([type=radio], [type=checkbox], [type=search])";

let keepsNothing = false;

/** From now on nothing of this page outlives it: not what waits in the Outbox, and no draft. */
export function keepNothing(): void {
  keepsNothing = true;
}

export function holdsUnkeptText(): boolean {
  return keepsNothing || fields().some((field) => field.dataset["kept"] === undefined && field.value.trim() !== "");
}

/** Whether anybody is in the middle of writing, kept or not. */
export function holdsText(): boolean {
  return keepsNothing || typesText();
}

export function typesText(): boolean {
  return fields().some((field) => field.value.trim() !== "");
}

function fields(): (HTMLTextAreaElement | HTMLInputElement)[] {
  return [...document.querySelectorAll<HTMLTextAreaElement | HTMLInputElement>(FIELDS)];
}
