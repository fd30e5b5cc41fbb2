// What the Outbox says, and what a change is called in it. In English, like strings.ts.
import { pluralIn } from "./plural.ts";

const plural = pluralIn("en");
const names = new Intl.ListFormat("en");

const english = {
  title: "Outbox",
  lead: (waiting: number, refused: number): string => {
    if (refused === 0)
      return "What you did that the server hasn't confirmed yet. It is kept on this device and sent by itself.";
    const kept = "What couldn't be sent is kept on this device until you choose what becomes of it.";
    return waiting === 0 ? kept : `${kept} What waits is sent by itself, unless it waits for that.`;
  },
  empty: {
    title: "Nothing waits",
    text: "Everything you wrote in this workspace was delivered. What you write offline is listed here until it is.",
  },
  waiting: (count: number) => plural(count, { one: "# waits", other: "# wait" }),
  refused: (count: number) => plural(count, { one: "# needs attention", other: "# need attention" }),
  /** "2 need attention, 1 waits" */
  counted: (waiting: number, refused: number): string =>
    [refused > 0 ? english.refused(refused) : "", waiting > 0 ? english.waiting(waiting) : ""]
      .filter(Boolean)
      .join(", "),
  elsewhere: {
    label: "Outboxes of your other workspaces",
    in: (name: string) => `In ${name}`,
    notIn: "In a workspace that you aren't in any more",
  },
  unplaced:
    "Something you wrote may be missing here: this device doesn't know the channel it was for. If that is in another workspace of yours, open that one on this device.",
  written: (time: string) => `written ${time}`,
  state: {
    queued: "waits its turn",
    /** The workspace's own is there. */
    roomAway: "waits until its channel can be reached",
    /** By what keeps the device apart from its rooms. */
    apart: {
      offline: "waits for the network",
      chosen: "waits until you go back online",
      "signed-out": "waits for you to sign in again",
      misconfigured: "waits until sign-in is mended: it is misconfigured",
      refused: "waits until this workspace lets you in again",
      outdated: "waits until you have reloaded, unless another tab has sent it",
      space: "waits until this device has room",
    },
    told: "waits for as long as the server asked to",
    sending: "is being sent",
    waitsFor: (what: string) => `waits for: ${what}`,
    waitsForRefused: (what: string) => `waits for: ${what}, which needs attention; it goes when that is mended`,
  },
  maybeDelivered: {
    message: "; it may have been delivered already, and taking it back deletes it there",
    change: "; it may have been delivered already",
  },
  movedDeletes: "If you move it, its channel is asked to delete it as well.",
  movedRestores:
    "If you move it, its channel is asked to put back what this device knows of before; where that isn't known, your words may stand in both places.",
  archivedThen: "The channel was archived then.",
  openAgain: "The channel was archived then. It's open now: try again.",
  mayPostNow: "You couldn't post there then. You can now: try again.",
  mayNow: "You weren't allowed to do that then. You are now: try again.",
  nameFree: "That name was taken then. It's free now: try again.",
  inAgain: "You had no access then. You have now: try again.",
  shutOut: "You no longer have access to this workspace.",
  draft: {
    title: "Draft",
    why: {
      gone: "You can't see the channel any more that this was written in.",
      archived: "The channel this was written in is archived.",
      "not-joined": "You aren't in the channel any more that this was written in.",
      "admins-only": "Only admins may post now in the channel that this was written in.",
    },
  },
  brief: (what: string, text: string) => `${what} “${text}”`,
  undo: "Take back",
  moveTo: "Move to another channel",
  move: "Move",
  /** Where the one that was chosen takes nothing now. */
  chooseChannel: "Choose a channel",
  moveNowhere: "There is no other channel that you can write in.",
  change: {
    "message.post": "Message",
    "message.reply": "Reply",
    "message.edit": "Edit of a message",
    "message.delete": "Deletion of a message",
    pin: "Pinning of a message",
    unpin: "Unpinning of a message",
    reactOn: (emoji: string) => `Reaction ${emoji}`,
    reactOff: (emoji: string) => `Reaction ${emoji} taken back`,
    "channel.create": (name: string) => `New channel #${name}`,
    "channel.rename": (name: string) => `New name #${name}`,
    "channel.update": "Change of a channel's topic",
    "channel.archive": "Archiving of a channel",
    "channel.unarchive": "Bringing back of a channel",
    "channel.join": "Joining of a channel",
    "channel.leave": "Leaving of a channel",
    /** At least one of the two lists has somebody in it. */
    members: (added: readonly string[], removed: readonly string[]) =>
      [
        ...(added.length === 0 ? [] : [`${names.format(added)} added`]),
        ...(removed.length === 0 ? [] : [`${names.format(removed)} removed`]),
      ].join(", "),
    "channel.prefs": "Change of your channel settings",
    "member.update": "Change of your profile",
    made: (name: string, role: string) => `${name} made ${role}`,
    roles: { owner: "an owner", admin: "an admin", member: "a member", guest: "a guest", bot: "a bot" },
    activate: (name: string) => `${name} let back in`,
    deactivate: (name: string) => `${name} deactivated`,
    /** Whose name isn't on this device. */
    somebody: "Somebody",
    "read.set": "Read position",
    "draft.set": "Draft",
  },
};

export const outboxSays: typeof english = english;
