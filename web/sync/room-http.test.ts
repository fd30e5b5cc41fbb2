import { expect, it } from "vitest";
import type { RoomName } from "#protocol/room-name.ts";
import type { AuthDecision } from "./auth.ts";
import { roomReader } from "./room-http.ts";
import type { Tokens } from "./tokens.ts";

it.each<[what: string, decision: AuthDecision, got: "nothing" | "refused"]>([
  ["signed out, it is asked again: that may be over in a moment", { do: "sign-in" }, "nothing"],
  ["not let in, it isn't", { do: "stop", code: "forbidden", detail: "no" }, "refused"],
])("%s", async (_, decision, got) => {
  const tokens: Pick<Tokens, "get"> = { get: async () => decision };
  const ports = {
    origin: "http://edge.test",
    timers: { set: () => null, clear: () => undefined },
    fetch: () => Promise.reject(new Error("nothing is asked without a token")),
  };
  const reader = roomReader(ports, tokens as Tokens, () => ports.origin);
  expect(await reader.history("channel:w_c" as RoomName, null)).toMatchObject({ got });
});
