// That texts are here which were noted before this device's data was cleared: who leaves is to know of them.
import type { ReactElement } from "react";
import { lostSays } from "../../ui/strings-lost.ts";
import { useLost } from "./use-lost.ts";

export function NotedTexts(): ReactElement | null {
  const { textCount } = useLost();
  return textCount === 0 ? null : <p>{lostSays.onlyHere(textCount)}</p>;
}
