// What the screens say that load after the channel or without one, in English. Like strings.ts, for other languages.
import { pluralIn } from "./plural.ts";

const plural = pluralIn("en");

const english = {
  missingChannel: {
    title: "This channel isn't here",
    text: "It may not exist, you may not be in it, or this device hasn't heard of it yet.",
    browse: "Browse channels",
  },

  form: {
    name: "Name",
    email: "Email",
    password: "Password",
    workspaceName: "Workspace name",
    setupCode: "Set-up code",
    channelName: "Channel name",
    topic: "Topic",
    /** A rule of the catalogue as a sentence about a field: "Password needs at least 10 characters." */
    fault: (label: string, rule: string) => `${label} ${rule}`,
  },

  welcome: {
    title: "Welcome",
    lead: "Team channels that keep working when the network doesn't.",
    points: [
      "Read, write and react offline. It all stays on this device.",
      "What you write is delivered once, in order, when you're back.",
      "It runs on your own account. Nobody else holds your words.",
    ],
    signIn: "Sign in",
    createWorkspace: "Create a workspace",
    setUp: "Set up this deployment",
    joinLabel: "Invitation link",
    joinHint: "Paste the link you were sent.",
    joinFault: "That doesn't look like an invitation link.",
    join: "Join",
    install: "Install Causeway",
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

  signIn: {
    title: "Sign in",
    act: "Sign in",
    again: (name: string) =>
      `Your session ended. Sign in again as ${name}; what waits on this device is sent after that.`,
    toSignUp: "No account yet?",
    toSignUpAct: "Create an account",
  },

  signUp: {
    title: "Create your account",
    act: "Create account",
    nameHint: "As the others will see you.",
    passwordHint: (min: number) => `At least ${min} characters. A few words work well.`,
    toSignIn: "Have an account already?",
    toSignInAct: "Sign in",
    closed:
      "On this deployment people join by invitation. Ask for a link, or use the set-up code if you're setting it up.",
  },

  setup: {
    title: "Set up Causeway",
    titleWorkspace: "Create a workspace",
    lead: "Your account, and a workspace for your team. You become its owner.",
    codeHint: "The deploy command printed it.",
    nameHint: "Your team, company or crew.",
    act: "Create workspace",
  },

  join: {
    title: (workspace: string) => `Join ${workspace}`,
    by: (person: string) => `${person} invites you.`,
    members: (count: number) => plural(count, { one: "# person is there.", other: "# people are there." }),
    as: {
      owner: "",
      admin: "You'll be an admin.",
      member: "",
      guest: "You'll be a guest, in the channels you are added to.",
      bot: "",
    },
    act: "Join",
    signedInAs: (name: string) => `You're signed in as ${name}.`,
    cannot: "This invitation can't be used",
    retry: "Try again",
    home: "Go to the start page",
  },

  notFound: {
    title: "There is nothing at this address",
    text: "It may have been moved, or the link is incomplete.",
    back: "Go to your last channel",
  },

  noWorkspace: {
    title: "You aren't in this workspace",
    text: "Ask someone there for an invitation link, or check who you're signed in as.",
    other: "Your workspaces",
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
    appearance: "Appearance",
    status: "Sync status",
    install: "Install Causeway",
    update: "Update and reload",
    signOut: "Sign out",
  },

  signOut: {
    title: "Sign out",
    text: "This device's copy of your channels is removed. It comes back when you sign in again.",
    queueTitle: (count: number) =>
      plural(count, { one: "# change hasn't been delivered", other: "# changes haven't been delivered" }),
    queueText: "Keep them here for when you sign in again as the same person, or discard them for good.",
    keep: "Keep and sign out",
    discard: "Discard and sign out",
    act: "Sign out",
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
    archiveText: "Everybody can still read it. Nobody can write until it is brought back.",
    archiveAct: "Archive",
    leaveTitle: (channel: string) => `Leave ${channel}?`,
    leaveText: "You can join again from the channel list.",
    leaveTextPrivate: "It is private: somebody in it has to add you again. Its messages are removed from this device.",
    leaveAct: "Leave",
  },

  deleteMessage: {
    title: "Delete this message?",
    text: "Its text is removed for everybody. A line remains that says so.",
    act: "Delete",
  },

  members: {
    title: "Members",
    present: "here",
    away: "away",
    you: "you",
    roles: { owner: "owner", admin: "admin", member: "member", guest: "guest", bot: "bot" },
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
  },

  outbox: {
    title: "Outbox",
    lead: "What you did that the server hasn't confirmed yet. It is kept on this device and sent by itself.",
    empty: {
      title: "Nothing waits",
      text: "Everything you wrote was delivered. What you write offline is listed here until it is.",
    },
    waiting: (count: number) => plural(count, { one: "# waits", other: "# wait" }),
    refused: (count: number) => plural(count, { one: "# needs attention", other: "# need attention" }),
    written: (time: string) => `written ${time}`,
    state: {
      queuedOffline: "waits for the network",
      queued: "waits its turn",
      sending: "is being sent",
      signedOut: "waits for you to sign in again",
      waitsFor: (what: string) => `waits for: ${what}`,
    },
    brief: (what: string, text: string) => `${what} “${text}”`,
    undo: "Take back",
    moveTo: "Move to another channel",
    move: "Move",
    change: {
      "message.post": "Message",
      "message.reply": "Reply",
      "message.edit": "Edit of a message",
      "message.delete": "Deletion of a message",
      reactOn: (emoji: string) => `Reaction ${emoji}`,
      reactOff: (emoji: string) => `Reaction ${emoji} taken back`,
      "channel.create": (name: string) => `New channel #${name}`,
      "channel.rename": (name: string) => `New name #${name}`,
      "channel.update": "Change of a channel's topic",
      "channel.archive": "Archiving of a channel",
      "channel.unarchive": "Bringing back of a channel",
      "channel.join": "Joining of a channel",
      "channel.leave": "Leaving of a channel",
      "channel.members": "Change of a channel's members",
      "channel.prefs": "Change of your channel settings",
      "member.update": "Change of your profile",
      "member.role": "Change of a role",
      "member.activate": "Change of a member",
      "read.set": "Read position",
      "draft.set": "Draft",
    },
  },

  status: {
    title: "Sync status",
    connection: "Connection",
    liveAt: (time: string) => `Up to date as of ${time}`,
    nextTry: (time: string) => `Next try at ${time}`,
    tryNow: "Try now",
    outbox: "Outbox",
    outboxText: (waiting: string, refused: string) => `${waiting} waiting, ${refused} need attention`,
    storage: "Storage on this device",
    storageText: (used: string, quota: string) => `${used} of ${quota} used`,
    storageUnknown: "The browser doesn't say.",
    persistent: {
      yes: "Protected: the browser won't clear it by itself.",
      no: "Not protected: the browser may clear it when space is short.",
      unknown: "",
    },
    memory: "This browser keeps nothing (private mode?). What isn't delivered is lost when you close it.",
    rooms: "Rooms",
    room: "Room",
    link: "Link",
    cursor: "Up to",
    head: "Newest",
    held: "Messages here",
    complete: "complete",
    links: {
      none: "closed",
      connecting: "connecting",
      "catching-up": "catching up",
      live: "live",
      waiting: "waiting",
      refused: "refused",
    },
    app: "App",
    build: (build: string, protocol: string) => `Build ${build}, protocol ${protocol}`,
    leader: { yes: "This tab syncs for all tabs.", no: "Another tab syncs for this one." },
    copy: "Copy report",
    copied: "Copied",
    noWorkspace: "Open a workspace first: there is nothing to sync yet.",
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
