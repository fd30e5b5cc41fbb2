// What one may do with a message, or with a change that was refused. In English, like strings.ts.
const english = {
  label: "Message actions",
  react: "React",
  reply: "Reply in thread",
  edit: "Edit",
  editMessage: "Edit message",
  save: "Save changes",
  delete: "Delete",
  pin: "Pin",
  unpin: "Unpin",
  more: "More",
  copyText: "Copy text",
  copyLink: "Copy link",
  markUnread: "Mark unread from here",
  editAndRetry: "Edit and retry",
  retry: "Try again",
  copy: "Copy",
  discard: "Discard",
  maybeDelivered: "It may have been delivered all the same.",
};

export const acts: typeof english = english;
