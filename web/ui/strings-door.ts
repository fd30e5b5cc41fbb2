// What is said at the door: welcome, sign in and up, set-up, invitations, wrong addresses. In English, like strings.ts.
import { pluralIn } from "./plural.ts";

const plural = pluralIn("en");

const english = {
  app: "Causeway",
  cancel: "Cancel",
  loading: "Loading",
  insecure: "This page came over plain http://, where no browser keeps you signed in. Open it with https:// instead.",
  unreached: {
    text: "Causeway can't be reached just now, and getting in needs a network.",
    unsent: (count: number) =>
      plural(count, {
        one: "# text that hasn't been delivered is kept in this browser. It is sent, or comes up again in the Outbox or the composer, once its author has signed in.",
        other:
          "# texts that haven't been delivered are kept in this browser. They are sent, or come up again in the Outbox or the composer, once their author has signed in.",
      }),
  },
  form: {
    name: "Name",
    email: "Email",
    password: "Password",
    workspaceName: "Workspace name",
    setupCode: "Set-up code",
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

  signIn: {
    title: "Sign in",
    act: "Sign in",
    again: (name: string) =>
      `Your session ended. Sign in again as ${name}; what waits on this device is sent after that.`,
    toSignUp: "No account yet?",
    toSignUpAct: "Create an account",
  },

  otherPerson: {
    title: "Sign in as someone else?",
    text: (name: string, count: number) =>
      `${plural(count, { one: "# change", other: "# changes" })} of ${name} on this device ${count === 1 ? "hasn't" : "haven't"} been delivered. Kept, ${count === 1 ? "it is" : "they are"} sent when ${name} signs in here again, and never under another name.`,
    keep: "Keep them and sign in",
    discard: "Discard them and sign in",
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
    unknown: "This invitation couldn't be looked up",
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
    text: "Ask someone there to let you in, or check who you're signed in as.",
    other: "Your workspaces",
  },

  kept: {
    label: "What isn't delivered",
    text: (count: number) =>
      plural(count, {
        one: "# change of yours hasn't been delivered. It stays on this device, and is in the Outbox of its workspace whenever you're in that.",
        other:
          "# changes of yours haven't been delivered. They stay on this device, and are in the Outbox of their workspace whenever you're in that.",
      }),
    unread: "What you haven't sent can't be read on this device just now. It stays here.",
  },
};

export const door: typeof english = english;
