import { describe, expect, it } from "vitest";
import { step, type Leader, type LeaderEffect, type LeaderEvent } from "./leader.ts";

const REQUEST: LeaderEffect = { do: "request-lock", steals: false };
const is = (name: Leader["name"]): Leader => ({ name });

const ROWS: readonly (readonly [string, Leader, LeaderEvent, Leader, readonly LeaderEffect[]])[] = [
  ["a tab that starts asks for the lock", is("following"), { type: "started" }, is("following"), [REQUEST]],
  ["with the lock it leads", is("following"), { type: "granted" }, is("leading"), [{ do: "lead" }]],
  [
    "seen by a person it asks whether anybody leads",
    is("following"),
    { type: "looked" },
    is("asking"),
    [{ do: "ping" }, { do: "wait", ms: 1_000 }],
  ],
  ["an answer is enough", is("asking"), { type: "ponged" }, is("following"), []],
  [
    "without one it takes the lock",
    is("asking"),
    { type: "waited" },
    is("stealing"),
    [{ do: "request-lock", steals: true }],
  ],
  [
    "in sight and left alone it asks too, with time to answer",
    is("following"),
    { type: "watched" },
    is("watching"),
    [{ do: "ping" }, { do: "wait", ms: 8_000 }],
  ],
  ["that answer is enough", is("watching"), { type: "ponged" }, is("following"), []],
  [
    "without it it takes the lock",
    is("watching"),
    { type: "waited" },
    is("stealing"),
    [{ do: "request-lock", steals: true }],
  ],
  [
    "who looks meanwhile doesn't wait so long",
    is("watching"),
    { type: "looked" },
    is("asking"),
    [{ do: "ping" }, { do: "wait", ms: 1_000 }],
  ],
  ["nor is the second in which it asks made longer", is("asking"), { type: "watched" }, is("asking"), []],
  ["a wait that was answered steals nothing", is("following"), { type: "waited" }, is("following"), []],
  ["the lock may come while it asks", is("asking"), { type: "granted" }, is("leading"), [{ do: "lead" }]],
  ["the leader asks nobody", is("leading"), { type: "looked" }, is("leading"), []],
  [
    "deposed, it stops before it lets go, and queues again",
    is("leading"),
    { type: "lost" },
    is("following"),
    [{ do: "stop-leading" }, { do: "release-lock" }, REQUEST],
  ],
  [
    "frozen, it gives the lock up",
    is("leading"),
    { type: "frozen" },
    is("resting"),
    [{ do: "stop-leading" }, { do: "release-lock" }],
  ],
  [
    "frozen while following, it leaves the queue",
    is("following"),
    { type: "frozen" },
    is("resting"),
    [{ do: "release-lock" }],
  ],
  ["granted while resting, it lets go", is("resting"), { type: "granted" }, is("resting"), [{ do: "release-lock" }]],
  ["back, it asks again", is("resting"), { type: "returned" }, is("following"), [REQUEST]],
  ["back without having been away, it does nothing", is("leading"), { type: "returned" }, is("leading"), []],
];

describe("the tab that leads", () => {
  it.each(ROWS)("%s", (_what, from, event, to, effects) => {
    expect(step(from, event)).toEqual({ leader: to, effects });
  });
});
