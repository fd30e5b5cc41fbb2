// An entity as one viewer may see it, and what comes into sight by it ([RV5]).
import type { Entity } from "#protocol/entities/entity.ts";
import type { LiveMembership, Membership } from "#protocol/entities/membership.ts";
import type { Viewer } from "../engine/kind.ts";
import { isInside, type Directory } from "./directory.ts";

export function projected(directory: Directory, entity: Entity, viewer: Viewer): readonly Entity[] {
  switch (entity.kind) {
    case "workspace":
      return [entity];
    case "member":
      return directory.seesPerson(entity.id, viewer) ? [entity] : [];
    case "channel":
      return directory.sees(entity.id, viewer) ? [entity] : [];
    case "membership":
      return membership(directory, entity, viewer);
    case "read":
    case "prefs":
    case "draft":
      return entity.user === viewer.user ? [entity] : [];
    case "message":
      return [];
  }
}

function membership(directory: Directory, entity: Membership, viewer: Viewer): readonly Entity[] {
  const isOwn = entity.user === viewer.user;
  const isSeen = directory.sees(entity.channel, viewer);
  if (entity.deleted) return isOwn && !isSeen ? [{ ...entity, gone: true }] : isOwn || isSeen ? [entity] : [];
  if (!isSeen) return isOwn ? [entity] : [];
  if (isOwn) return inSightBy(directory, entity, viewer);
  const person = isInside(viewer.role) ? undefined : directory.members.get(entity.user);
  return person ? [entity, person] : [entity];
}

/** One's own membership of a channel that only its members see brings the channel and everybody in it. */
function inSightBy(directory: Directory, entity: LiveMembership, viewer: Viewer): readonly Entity[] {
  const channel = directory.channels.get(entity.channel);
  if (!channel) return [entity];
  const isOpen = channel.access === "public" && isInside(viewer.role);
  if (isOpen) return [entity];
  const memberships = [...directory.membershipsIn(entity.channel).values()];
  if (isInside(viewer.role)) return [channel, ...memberships];
  const people = memberships.map(({ user }) => directory.members.get(user)).filter((member) => member !== undefined);
  return [channel, ...memberships, ...people];
}
