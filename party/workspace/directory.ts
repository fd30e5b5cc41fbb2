// The directory in memory: who is here, which channels there are, who is in which, and who sees what ([RV5]).
// Rebuilt from storage when the room wakes; changed only by entities that were stored.
import type { Entity } from "#protocol/entities/entity.ts";
import type { LiveChannel } from "#protocol/entities/channel.ts";
import type { LiveMembership } from "#protocol/entities/membership.ts";
import type { Member } from "#protocol/entities/member.ts";
import type { Workspace } from "#protocol/entities/workspace.ts";
import type { ChannelId, UserId } from "#protocol/ids.ts";
import type { Role } from "#protocol/roles.ts";
import type { RoomStorage } from "../engine/host.ts";
import { asEntity, entityRow } from "../engine/keys.ts";
import type { Viewer } from "../engine/kind.ts";

const NOBODY: ReadonlyMap<UserId, LiveMembership> = new Map();

export class Directory {
  workspace: Workspace | null = null;
  readonly members = new Map<UserId, Member>();
  readonly channels = new Map<ChannelId, LiveChannel>();
  readonly #inChannel = new Map<ChannelId, Map<UserId, LiveMembership>>();
  readonly #ofUser = new Map<UserId, Set<ChannelId>>();

  static async load(storage: RoomStorage): Promise<Directory> {
    const directory = new Directory();
    for (const kind of ["workspace", "member", "channel", "membership"]) {
      const rows = await storage.list({ prefix: entityRow(`${kind}:`) });
      directory.learn([...rows.values()].map((row) => asEntity(row)).filter((entity) => entity !== undefined));
    }
    return directory;
  }

  learn(entities: readonly Entity[]): void {
    for (const entity of entities) {
      if (entity.kind === "workspace") this.workspace = entity;
      else if (entity.kind === "member") this.members.set(entity.id, entity);
      else if (entity.kind === "channel") this.#learnChannel(entity);
      else if (entity.kind === "membership") this.#learnMembership(entity);
    }
  }

  #learnChannel(channel: Extract<Entity, { kind: "channel" }>): void {
    if (channel.deleted) this.channels.delete(channel.id);
    else this.channels.set(channel.id, channel);
  }

  #learnMembership(membership: Extract<Entity, { kind: "membership" }>): void {
    const { channel, user } = membership;
    if (membership.deleted) {
      this.#inChannel.get(channel)?.delete(user);
      this.#ofUser.get(user)?.delete(channel);
      return;
    }
    const people = this.#inChannel.get(channel) ?? new Map<UserId, LiveMembership>();
    this.#inChannel.set(channel, people.set(user, membership));
    const channels = this.#ofUser.get(user) ?? new Set<ChannelId>();
    this.#ofUser.set(user, channels.add(channel));
  }

  membershipsIn(channel: ChannelId): ReadonlyMap<UserId, LiveMembership> {
    return this.#inChannel.get(channel) ?? NOBODY;
  }

  channelsOf(user: UserId): ReadonlySet<ChannelId> {
    return this.#ofUser.get(user) ?? new Set();
  }

  isIn(channel: ChannelId, user: UserId): boolean {
    return this.membershipsIn(channel).has(user);
  }

  /** The member, if there is one who wasn't deactivated. */
  active(user: UserId): Member | null {
    const member = this.members.get(user);
    return member && member.deactivatedAt === undefined ? member : null;
  }

  get activeCount(): number {
    return [...this.members.values()].filter(({ deactivatedAt }) => deactivatedAt === undefined).length;
  }

  sees(channel: ChannelId, { user, role }: Viewer): boolean {
    const found = this.channels.get(channel);
    if (!found) return false;
    return (found.access === "public" && isInside(role)) || this.isIn(channel, user);
  }

  /** Guests see the people of the channels they are in; everybody else sees everybody. */
  seesPerson(person: UserId, viewer: Viewer): boolean {
    if (isInside(viewer.role) || person === viewer.user) return true;
    const channels = this.channelsOf(person);
    return [...this.channelsOf(viewer.user)].some((channel) => channels.has(channel));
  }

  /** Another channel by that name which the person could confuse it with: a public one, or a private one of theirs. */
  isNameTaken(name: string, user: UserId, except?: ChannelId): boolean {
    for (const channel of this.channels.values()) {
      if (channel.id === except || channel.name !== name || channel.access === "dm") continue;
      if (channel.access === "public" || this.isIn(channel.id, user)) return true;
    }
    return false;
  }

  isLastOwner(user: UserId): boolean {
    const owners = [...this.members.values()].filter(
      ({ role, deactivatedAt }) => role === "owner" && deactivatedAt === undefined,
    );
    return owners.length === 1 && owners[0]?.id === user;
  }
}

/** Whether public channels are open to the role without a membership. */
export function isInside(role: Role): boolean {
  return role !== "guest" && role !== "bot";
}
