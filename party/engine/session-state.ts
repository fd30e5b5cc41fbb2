// What a connection is known by once it said hello; attached to the socket, so that it survives hibernation.
import type { DeviceId, UserId } from "#protocol/ids.ts";
import type { PresenceState, You } from "#protocol/frames/base.ts";
import type { Perm, Role } from "#protocol/roles.ts";
import type { Identity } from "./tokens.ts";

export interface Session {
  readonly user: UserId;
  readonly device: DeviceId;
  /** Of the token, epoch seconds. */
  readonly exp: number;
  /** Past it nothing is sent; the token's end, as a rule. */
  readonly until: number;
  readonly iat: number;
  readonly sid?: string;
  /** What the token grants here; what the room grants besides is asked anew each time. */
  readonly perms: readonly Perm[];
  readonly role: Role;
  readonly can: readonly Perm[];
  /** Whether it gets changes as they happen ([SY1]). */
  readonly live: boolean;
  /** Since when it sees what it sees, as of its hello: its replica was started anew below that, or stands above. */
  readonly sight: number;
  readonly presence?: PresenceState;
}

export function youOf({ user, role, can }: Session): You {
  return { user, role, can: [...can] };
}

/** Who a token and the room say it is, on a device; not live yet. */
export function sessionOf(
  { user, exp, until, iat, sid, perms }: Identity,
  you: You,
  { device, sight }: Pick<Session, "device" | "sight">,
  before: Session | null,
): Session {
  const { role, can } = you;
  const presence = before?.presence === undefined ? {} : { presence: before.presence };
  return {
    user,
    device,
    exp,
    until,
    iat,
    ...(sid === undefined ? {} : { sid }),
    perms,
    role,
    can,
    live: false,
    sight,
    ...presence,
  };
}
