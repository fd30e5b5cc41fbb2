// Two tabs of one browser: each has a module of its own, and both share the storage.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { MessageId } from "#protocol/ids.ts";
import { ANSWERED } from "./answered.ts";

type Answered = typeof import("./answered.ts");

const OWNER = "olga.c1";
const [M1, M2] = ["m1", "m2"] as [MessageId, MessageId];

interface Tab {
  readonly in: <T>(act: (answered: Answered) => T) => T;
  readonly typing: (text: string) => void;
  readonly reload: () => Promise<void>;
  /** Another screen comes in the composer's place, or it is back. */
  readonly look: (where: "elsewhere" | "back") => void;
}

type Told = (event: Pick<StorageEvent, "key" | "oldValue" | "newValue">) => void;

let tabs: { tell: Told }[] = [];
const shared = new Map<string, string>();

function storage(kept: Map<string, string>, told: (key: string, before: string | null) => void = () => undefined) {
  const change = (key: string, act: () => void): void => {
    const before = kept.get(key) ?? null;
    act();
    if (before !== (kept.get(key) ?? null)) told(key, before);
  };
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => change(key, () => kept.set(key, value)),
    removeItem: (key: string) => change(key, () => kept.delete(key)),
  };
}

async function open(): Promise<Tab> {
  const own = new Map<string, string>();
  const area = { id: "composer", value: "" };
  const self = { tell: (() => undefined) as Told };
  let code: Answered;
  let follow: () => () => void;
  let leave: () => void;
  tabs.push(self);
  const stand = (): void => {
    vi.stubGlobal("sessionStorage", storage(own));
    vi.stubGlobal(
      "localStorage",
      storage(shared, (key, oldValue) => {
        for (const tab of tabs) if (tab !== self) tab.tell({ key, oldValue, newValue: shared.get(key) ?? null });
        // The others were in between.
        stand();
      }),
    );
    vi.stubGlobal("document", { hasFocus: () => true, activeElement: area.value === "" ? null : area });
  };
  const here = <T>(act: () => T): T => {
    stand();
    return act();
  };
  const load = async (): Promise<void> => {
    vi.resetModules();
    code = await import("./answered.ts");
    const { COMPOSER_ID } = await import("./composer/focus.ts");
    area.id = COMPOSER_ID;
    const following = new Set<Told>();
    vi.stubGlobal("addEventListener", (_: string, listener: Told) => following.add(listener));
    vi.stubGlobal("removeEventListener", (_: string, listener: Told) => following.delete(listener));
    follow = () => code.followAnswers(() => undefined);
    leave = here(follow);
    // Told in its own turn, as a browser does.
    self.tell = (event) =>
      here(() => {
        for (const listener of following) listener(event);
      });
  };
  await load();
  return {
    in: (act) => here(() => act(code)),
    typing: (text) => void (area.value = text),
    reload: load,
    look: (where) => {
      if (where === "elsewhere") leave();
      else leave = here(follow);
    },
  };
}

const shows = (tab: Tab): string | null => tab.in((answered) => answered.answeredIn(OWNER));
const answer = (tab: Tab, message: MessageId | null): void => tab.in((answered) => answered.answer(OWNER, message));

beforeEach(() => {
  tabs = [];
  shared.clear();
});
afterEach(() => vi.unstubAllGlobals());

test("two tabs that answer different messages each send to the one they show, also after a reload", async () => {
  const [one, other] = [await open(), await open()];
  expect([shows(one), shows(other)]).toEqual([null, null]);
  answer(one, M1);
  answer(other, M2);
  expect([shows(one), shows(other)]).toEqual([M1, M2]);
  await one.reload();
  expect(shows(one)).toBe(M1);
  answer(other, null);
  expect([shows(one), shows(other)]).toEqual([M1, null]);
  await one.reload();
  expect(shows(one)).toBe(M1);
});

test("a tab where nobody chose shows what the draft answers, and no more once that was sent elsewhere", async () => {
  const [one, other] = [await open(), await open()];
  expect(shows(other)).toBeNull();
  answer(one, M1);
  expect(shows(other)).toBe(M1);
  expect(shows(await open())).toBe(M1);
  answer(other, null);
  expect([shows(one), shows(other)]).toEqual([null, null]);
  await one.reload();
  expect(shows(one)).toBeNull();
});

test("what is being typed goes on answering what it did", async () => {
  const [one, other] = [await open(), await open()];
  answer(one, M1);
  expect(shows(other)).toBe(M1);
  other.typing("half a");
  answer(one, M2);
  expect(shows(other)).toBe(M1);
});

test("what is being typed goes on so where another tab sent an answer to the same, also after a reload or a kill", async () => {
  const [one, other] = [await open(), await open()];
  answer(one, M1);
  expect(shows(other)).toBe(M1);
  other.typing("half a");
  answer(one, null);
  other.typing("");
  await other.reload();
  expect(shows(other)).toBe(M1);
  expect(shows(await open())).toBe(M1);
});

test("what was sent elsewhere while another screen was shown here is answered here no more", async () => {
  const [one, other] = [await open(), await open()];
  answer(one, M1);
  expect(shows(other)).toBe(M1);
  one.look("elsewhere");
  answer(other, null);
  one.look("back");
  expect(shows(one)).toBeNull();
});

test("a tab that was away when what it answered was sent doesn't come back to it, whatever was sent since; chosen again it does", async () => {
  const [one, other] = [await open(), await open()];
  answer(one, M1);
  const away = tabs.shift()!;
  expect(shows(other)).toBe(M1);
  answer(other, null);
  answer(other, M2);
  answer(other, null);
  tabs.push(away);
  await one.reload();
  expect(shows(one)).toBeNull();
  answer(one, M1);
  await one.reload();
  expect(shows(one)).toBe(M1);
});

test("an answer to the root of a thread isn't ended by one to a reply in it, nor the other way round", async () => {
  const [one, other] = [await open(), await open()];
  const [root, reply] = ["m1", "m2 m1"] as MessageId[];
  answer(one, root!);
  answer(other, reply!);
  answer(other, null);
  await one.reload();
  expect(shows(one)).toBe(root);
  answer(one, reply!);
  const away = tabs.shift()!;
  answer(other, null);
  answer(other, root!);
  answer(other, null);
  tabs.push(away);
  await one.reload();
  expect(shows(one)).toBeNull();
});

test("a tab that lives forgets what ended elsewhere while another screen was shown in it, however much ended since", async () => {
  const [one, other] = [await open(), await open()];
  answer(one, M1);
  expect(shows(other)).toBe(M1);
  one.look("elsewhere");
  answer(other, null);
  for (let n = 10; n < 25; n++) {
    answer(other, `m${n}` as MessageId);
    answer(other, null);
  }
  one.look("back");
  expect(shows(one)).toBeNull();
});

test("whoever follows hears what another tab chose, also where somebody else follows", async () => {
  const tab = await open();
  const told = vi.fn();
  tab.in((answered) => answered.followAnswers(told));
  expect(shows(tab)).toBeNull();
  shared.set(ANSWERED + OWNER, M1);
  tabs[0]!.tell({ key: ANSWERED + OWNER, oldValue: null, newValue: M1 });
  expect(told).toHaveBeenCalledOnce();
  expect(shows(tab)).toBe(M1);
});
