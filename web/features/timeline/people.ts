// The people of the workspace, for everything in a timeline that names somebody.
import { createContext, use } from "react";
import type { UserId } from "#protocol/ids.ts";
import type { MemberRow } from "../../store/snapshots.ts";
import { t } from "../../ui/strings.ts";

export type People = ReadonlyMap<UserId, MemberRow>;

export const PeopleContext = createContext<People>(new Map());

export function usePeople(): People {
  return use(PeopleContext);
}

/** Also for those whose entry hasn't come yet. */
export function nameOf(people: People, user: UserId): string {
  return people.get(user)?.name ?? t.someone;
}
