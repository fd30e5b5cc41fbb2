// Who comes in, and who has to go: asked of the room's own state on every entry, and again after every change of it.
import { failed, type Result } from "#protocol/result.ts";
import type { Failure } from "#protocol/errors.ts";
import type { You } from "#protocol/frames/base.ts";
import { writeFrame } from "#protocol/frame.ts";
import type { AdmitRequest, Kind } from "./kind.ts";
import type { Memory, Room } from "./room.ts";
import { youOf } from "./session-state.ts";

/** Only inside `alone`. A room that doesn't know itself yet learns it first ([RM6]). */
export async function admit<Own>(memory: Memory<Own>, asked: AdmitRequest): Promise<Result<You, Failure>> {
  const { kind } = memory;
  if (!kind.isBorn) {
    const born = await kind.birth(memory);
    if (!born.ok) return failed(born.error);
  }
  const admitted = kind.admit(asked);
  if (admitted.ok || admitted.error.code !== "forbidden") return admitted;
  const known = await kind.reconsider(memory, asked);
  return known.ok ? kind.admit(asked) : failed(known.error);
}

/** After rights changed: closes whom the room no longer lets in ([RM5]), tells the others what they may do now. */
export function readmitAll<Own>(room: Room<Own>, kind: Pick<Kind<Own>, "admit">): void {
  for (const connection of room.host.connections()) {
    const session = connection.state;
    if (!session) continue;
    const admitted = kind.admit(session);
    if (!admitted.ok) {
      room.broadcast.dismiss(connection, admitted.error);
      continue;
    }
    const you = admitted.value;
    if (you.role === session.role && you.can.join() === session.can.join()) continue;
    const changed = { ...session, role: you.role, can: you.can };
    connection.setState(changed);
    room.broadcast.send(connection, changed, writeFrame({ t: "you", ...youOf(changed) }));
  }
}
