// What a reload would take: text in a field that no draft keeps. Composers say of themselves that theirs is kept.
const FIELDS = "textarea, input:not([type=radio], [type=checkbox], [type=search])";

export function holdsUnkeptText(): boolean {
  return fields().some((field) => field.dataset["kept"] === undefined && field.value.trim() !== "");
}

/** Whether anybody is in the middle of writing, kept or not. */
export function holdsText(): boolean {
  return fields().some((field) => field.value.trim() !== "");
}

function fields(): (HTMLTextAreaElement | HTMLInputElement)[] {
  return [...document.querySelectorAll<HTMLTextAreaElement | HTMLInputElement>(FIELDS)];
}
