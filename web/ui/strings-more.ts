// What menus, dialogs, panels and screens say that load after the channel, in English. Like strings.ts, for other languages;
// sign-in, the Outbox and the sync status have theirs apart (strings-door.ts, strings-outbox.ts, strings-status.ts).
import { pluralIn } from "./plural.ts";

const plural = pluralIn("en");

const english = {
  back: "Back",
  cancel: "Cancel",
  mentionList: "People to mention",
  tabTitle: (place: string, workspace: string) => `${place} · ${workspace}`,

  missingChannel: {
    title: "This channel isn't here",
    text: "It may not exist, you may not be in it, or this device hasn't heard of it yet.",
    kept: "What you wrote and couldn't be sent is kept:",
    browse: "Browse channels",
  },

  refusedChannel: {
    text: (channel: string, reason: string) => `#${channel} couldn't be created. ${reason}`,
    kept: "What you write here is kept.",
    mend: "Mend it in the Outbox",
  },

  form: {
    channelName: "Channel name",
    topic: "Topic",
  },

  firstSteps: {
    title: (channel: string) => `Nothing in ${channel} yet`,
    text: "Write the first message. It works without a network too: what you write is kept on this device and delivered once, in order, when you're back.",
    checklist: "First steps",
    invite: "Invite people",
    inviteText: "Send them a link.",
    install: "Install the app",
    installText: "Then it opens like any other, also offline.",
    offline: "Try it offline",
    offlineText: "Switch on airplane mode, write something, switch it off again.",
    dismiss: "Put the list away",
  },

  workspaceMenu: {
    label: (workspace: string) => `Workspace ${workspace}`,
    invite: "Invite people",
    createChannel: "Create channel",
    browse: "Browse channels",
    switchTo: (workspace: string) => `Go to ${workspace}`,
    create: "Create a workspace",
  },

  account: {
    theme: { system: "Theme: as the system", light: "Theme: light", dark: "Theme: dark" },
    profile: "Your profile",
    appearance: "Appearance",
    offline: "Offline and storage",
    status: "Sync status",
    workOffline: "Work offline",
    goOnline: "Go back online",
    install: "Install Causeway",
    update: "Update and reload",
    signOut: "Sign out",
  },

  signOut: {
    title: "Sign out",
    text: "This device's copy of your channels is removed. It comes back when you sign in again.",
    queueTitle: (count: number) =>
      plural(count, { one: "# change hasn't been delivered", other: "# changes haven't been delivered" }),
    queueText:
      "Deliver them first, keep them on this device for when you sign in again as the same person, or discard them for good.",
    refused: (count: number) =>
      plural(count, {
        one: "# of them needs your attention: it can't be delivered as it is.",
        other: "# of them need your attention: they can't be delivered as they are.",
      }),
    deliver: "Deliver, then sign out",
    keep: "Keep and sign out",
    discard: "Discard and sign out",
    export: "Save a copy",
    exportName: (day: string) => `causeway-unsent-${day}.ndjson`,
    delivering: (done: number, total: number, isAskedThen: boolean) =>
      `Delivered ${done} of ${total}. ${isAskedThen ? "When all is through you're asked about what can't be delivered." : "You're signed out when all is through."}`,
    waitsFor: {
      choice: "You chose to work offline. Cancel and go back online first; until then you stay signed in.",
      network: "There is no network just now. It goes on by itself when there is; until then you stay signed in.",
      link: "Reconnecting. It goes on by itself when there is a connection; until then you stay signed in.",
      server:
        "Sign-in is misconfigured, so nothing can be sent just now. It goes on by itself when that is mended; until then you stay signed in.",
      space: "This device is full. It goes on by itself when there is room; until then you stay signed in.",
      session: "Your session has ended, so nothing can be sent. Sign in again to deliver what waits here.",
      access: (why: string) =>
        `${why} Nothing can be sent to this workspace until that changes. Cancel to keep or discard what waits here.`,
    },
    act: "Sign out",
    unread:
      "What you haven't sent can't be read on this device just now, so nobody knows whether there is anything. Keep it here for when you sign in again as the same person, or discard it for good.",
    late: "What is stored on this device doesn't answer yet. Another tab of Causeway may be busy with it: close that, or wait.",
    unanswered: "Signing out got no answer, so nothing was removed or discarded here. Try again.",
    slow: "Signing you out takes long: the network, or what is stored on this device, hasn't answered yet.",
    held: "You're signed out, but another tab of Causeway still holds this device's copy of your channels. Close the other tabs; what is left is removed when Causeway is next opened.",
    failed: "This device couldn't finish signing you out. Try again, or discard what is stored here.",
  },

  invite: {
    title: (workspace: string) => `Invite people to ${workspace}`,
    text: "Whoever opens this link can join. It is shown once.",
    role: "They join as",
    member: "Member",
    guest: "Guest: only the channels they are added to",
    act: "Make a link",
    link: "Invitation link",
    copy: "Copy link",
    copied: "Copied",
    until: (day: string, uses: string) => `Good until ${day}, for ${uses}.`,
    uses: (count: number) => plural(count, { one: "one person", other: "# people" }),
  },

  createChannel: {
    title: "Create channel",
    nameHint: "Letters, digits, - and _.",
    topicHint: "What it is for. You can change it later.",
    private: "Private",
    privateHint: "Only people who are added see it.",
    act: "Create channel",
    taken: "There is a channel of this name.",
  },

  channelDialog: {
    topicTitle: (channel: string) => `Topic of ${channel}`,
    topicAct: "Save topic",
    renameTitle: (channel: string) => `Rename ${channel}`,
    renameAct: "Rename",
    archiveTitle: (channel: string) => `Archive ${channel}?`,
    archiveText: "It can still be read. Nobody can write until it is brought back.",
    archiveAct: "Archive",
    leaveTitle: (channel: string) => `Leave ${channel}?`,
    leaveText: "You can join again from the channel list.",
    leaveTextArchived: "You can join again when it is brought back.",
    leaveTextGuest: "Somebody in it has to add you again. Its messages are removed from this device.",
    leaveTextPrivate: "It is private: somebody in it has to add you again. Its messages are removed from this device.",
    leaveTextLast:
      "It is private, and nobody else is in it who could add you again. Its messages are removed from this device, and nobody can read them after that.",
    leaveAct: "Leave",
  },

  deactivate: {
    title: (name: string) => `Deactivate ${name}?`,
    text: "They are signed out of this workspace and can't come back until you let them. What they wrote stays.",
    act: "Deactivate",
  },

  deleteMessage: {
    title: "Delete this message?",
    text: "Its text is removed for everybody. A line remains that says so.",
    unsent: "It won't be sent. Should it have arrived all the same, its text is removed for everybody.",
    act: "Delete",
  },

  length: {
    near: (actual: string, limit: string) => `${actual} of ${limit} characters`,
    tooLong: (over: number) => plural(over, { one: "# character too many", other: "# characters too many" }),
    unseen: "Nothing of it can be seen, so it isn't sent",
  },
  format: { label: "Formatting", bold: "Bold", italic: "Italic", code: "Code" },

  typing: {
    one: (name: string) => `${name} is typing`,
    two: (one: string, other: string) => `${one} and ${other} are typing`,
    many: "Several people are typing",
  },

  closedChannel: {
    archived: "This channel is archived. It can be read, not written to.",
    "admins-only": "Only admins may post here.",
    "not-joined": "You're reading this channel without being in it.",
  },

  channelMenu: {
    topic: "Set topic",
    rename: "Rename channel",
    archive: "Archive channel",
    unarchive: "Bring channel back",
    leave: "Leave channel",
    join: "Join",
    star: "Star channel",
    unstar: "Remove star",
    mute: "Mute channel",
    unmute: "Unmute channel",
    levels: { all: "Notify of every message", mentions: "Notify of mentions", none: "Notify of nothing" },
  },

  profile: {
    title: "Your profile",
    name: "Name",
    nameHint: "As the others see you.",
    role: "Title",
    roleHint: "What you do here.",
    emoji: "Status emoji",
    status: "Status",
    statusHint: "“On the night shift”. Leave both empty for none.",
    act: "Save",
  },

  pins: {
    title: "Pinned messages",
    /** Between the marks a name from right to left doesn't take along what stands behind it. */
    by: (who: string, time: string) => `Pinned by \u2068${who}\u2069, ${time}`,
    goTo: "Go to message",
    unpin: "Unpin",
    waits: "The pin waits to be sent.",
    unpinWaits: "Unpinned; that waits to be sent.",
    empty: {
      title: "Nothing is pinned here",
      text: "Pin a message to find it again: it stays on this list for everybody in the channel.",
    },
    noneHere: "None of the messages on this device is pinned. Others may be.",
    notWhole: "These are the pins among the messages on this device. Others may be missing.",
  },

  members: {
    title: "Members",
    present: "here",
    away: "away",
    you: "you",
    roles: { owner: "owner", admin: "admin", member: "member", guest: "guest", bot: "bot" },
    deactivated: "deactivated",
    manage: (name: string) => `Manage ${name}`,
    become: { owner: "Owner", admin: "Admin", member: "Member", guest: "Guest", bot: "" },
    deactivate: "Deactivate",
    activate: "Let back in",
    add: "Add people",
    addAct: "Add",
    remove: (name: string) => `Remove ${name}`,
    find: "Find people",
    nobody: "Everybody is here already.",
    noMatch: "Nobody of that name.",
  },

  browse: {
    title: "Channels",
    search: "Search channels",
    joined: "joined",
    archived: "archived",
    open: "Open",
    join: "Join",
    none: "No channel of that name.",
    showArchived: "Show archived",
    empty: {
      title: "No channels yet",
      text: "Create the first one. Everybody can join it unless you make it private.",
    },
    emptyForGuest: {
      title: "You are in no channel yet",
      text: "As a guest you see the channels that somebody adds you to.",
    },
  },

  appearance: {
    title: "Appearance",
    theme: "Theme",
    themes: { system: "As the system", light: "Light", dark: "Dark" },
    density: "Density",
    densities: { comfortable: "Comfortable", compact: "Compact" },
  },
};

export type MoreStrings = typeof english;

export const s: MoreStrings = english;
