// Fields that grow with what is written in them, where style sheets can't have them do so: WebKitGTK 2.50 doesn't know
// `field-sizing`, and a composer, or an edit of many lines, showed one line there.

/** As it was when it was measured. */
let fitted = new WeakMap<HTMLTextAreaElement, string>();

function fit(): void {
  for (const field of document.querySelectorAll("textarea")) {
    const { style, value, offsetHeight, clientHeight } = field;
    if (fitted.get(field) === value) continue;
    fitted.set(field, value);
    // Else it never became smaller.
    style.blockSize = "0";
    style.blockSize = `${field.scrollHeight + offsetHeight - clientHeight}px`;
  }
}

export function growFields(): void {
  // React writes each value into the document as well, whoever it comes from: the keyboard, the disk or another tab.
  new MutationObserver(fit).observe(document.body, { childList: true, characterData: true, subtree: true });
  addEventListener("resize", () => {
    fitted = new WeakMap();
    fit();
  });
  fit();
}
