// Whether an invitation still lets somebody in (product, point 4): open, or used up, expired, revoked.
import { failure, type Failure } from "#protocol/errors.ts";
import type { Invitation } from "../db/invitations.ts";

export function invitationFault(
  invitation: Pick<Invitation, "revokedAt" | "expiresAt" | "uses" | "used"> | null,
  now: number,
): Failure | null {
  if (!invitation) return failure("not_found");
  if (invitation.revokedAt !== null) return failure("invite_revoked");
  if (invitation.expiresAt <= now) return failure("invite_expired");
  return invitation.used >= invitation.uses ? failure("invite_used") : null;
}
