import { describe, expect, it } from "vitest";
import { parseRoomName, type RoomRef } from "#protocol/room-name.ts";
import { readSignedCall } from "../party/engine/service-calls.ts";
import { tellRestored } from "./restored.ts";

const SECRET = "a secret of the tests that is long enough";
const ORIGIN = "https://chat.example";
const ROOM = parseRoomName("channel:w_c") as RoomRef;

type Reply = number | "unreachable";

/** A room that answers in turn, and refuses what isn't signed for it. */
async function told(replies: readonly Reply[], secret = SECRET) {
  const bodies: string[] = [];
  const said: string[] = [];
  let pauses = 0;
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const reply = replies[bodies.length] ?? 200;
    const body = typeof init.body === "string" ? init.body : "";
    bodies.push(body);
    if (reply === "unreachable") throw new TypeError("fetch failed");
    const token = new Headers(init.headers).get("authorization")?.replace("Bearer ", "") ?? "";
    const call = { method: "POST", path: url.slice(ORIGIN.length) };
    const signed = await readSignedCall(SECRET, token, call, Date.now());
    if (signed === null || !(await signed.isFor(body))) return Response.json({}, { status: 401 });
    return Response.json({ head: 9, seq: 4 }, { status: reply });
  };
  const pause = async (): Promise<void> => void (pauses += 1);
  const left = await tellRestored({ origin: ORIGIN, room: ROOM, secret, say: (line) => said.push(line), pause, fetch });
  return { left, bodies, said, pauses };
}

describe("[SV4] telling a room that it was restored", () => {
  it("goes on until it is answered, with the same name for the new history", async () => {
    const { left, bodies, said, pauses } = await told(["unreachable", 503, 500, 200]);
    expect({ left, pauses, tries: bodies.length, names: new Set(bodies).size }).toEqual({
      left: 4,
      pauses: 3,
      tries: 4,
      names: 1,
    });
    expect(said).toHaveLength(3);
  });

  it("takes another name the next time it is run", async () => {
    const [one, other] = [await told([]), await told([])];
    expect(one.bodies).not.toEqual(other.bodies);
  });

  it("gives up where trying again doesn't help", async () => {
    expect(await told([404])).toMatchObject({ left: null, pauses: 0 });
    expect(await told([], "another secret than that of the rooms")).toMatchObject({ left: null, pauses: 0 });
  });

  it("ends when nothing ever answers", async () => {
    expect(await told(Array.from({ length: 100 }, () => "unreachable" as const))).toMatchObject({ left: null });
  });
});
