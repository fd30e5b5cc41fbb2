// What is told of the line and the person, from what a made-up browser says.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { surroundings } from "./surroundings.ts";

/** As the Network Information API says it. */
interface Told {
  readonly saveData?: boolean;
  readonly type?: string;
  readonly effectiveType?: string;
}

class Connection extends EventTarget {
  constructor(told: Told) {
    super();
    this.tell(told);
  }
  tell(told: Told): void {
    Object.assign(this, told);
    this.dispatchEvent(new Event("change"));
  }
}

let page: EventTarget;

beforeEach(() => {
  vi.useFakeTimers();
  page = new EventTarget();
  vi.stubGlobal("document", page);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function on(connection: Connection | undefined) {
  vi.stubGlobal("navigator", connection === undefined ? {} : { connection });
  const around = surroundings();
  const heard: string[] = [];
  const stop = around.listen((what) => void heard.push(what));
  return { around, heard, stop };
}

it.each<[string, Told]>([
  ["free", {}],
  ["free", { saveData: false, type: "wifi", effectiveType: "4g" }],
  ["free", { effectiveType: "3g" }],
  ["saving", { saveData: true }],
  ["saving", { saveData: true, type: "cellular", effectiveType: "2g" }],
  ["metered", { saveData: false, type: "cellular", effectiveType: "4g" }],
  ["metered", { type: "cellular", effectiveType: "slow-2g" }],
  ["slow", { type: "wifi", effectiveType: "2g" }],
  ["slow", { effectiveType: "slow-2g" }],
])("the line is %s where the browser says %j", (line, told) => {
  expect(on(new Connection(told)).around.line()).toBe(line);
});

it("is told when the line costs otherwise, and read as it is by then, until nobody listens", () => {
  const connection = new Connection({ type: "wifi", effectiveType: "4g" });
  const { around, heard, stop } = on(connection);
  expect(heard).toEqual([]);
  connection.tell({ type: "cellular" });
  expect([around.line(), heard]).toEqual(["metered", ["line"]]);
  connection.tell({ saveData: true });
  expect([around.line(), heard]).toEqual(["saving", ["line", "line"]]);
  connection.tell({ saveData: false, type: "wifi" });
  expect([around.line(), heard]).toEqual(["free", ["line", "line", "line"]]);
  stop();
  connection.tell({ effectiveType: "2g" });
  expect([around.line(), heard.length]).toEqual(["slow", 3]);
});

it("where a browser says nothing of its line, as Safari and Firefox, it is free, and the person is heard all the same", () => {
  const { around, heard, stop } = on(undefined);
  expect(around.line()).toBe("free");
  page.dispatchEvent(new Event("keydown"));
  expect(heard).toEqual(["used"]);
  stop();
  vi.advanceTimersByTime(1_000);
  page.dispatchEvent(new Event("keydown"));
  expect(heard).toEqual(["used"]);
});

it.each(["wheel", "touchmove", "keydown", "pointerdown", "scroll"])(
  "somebody is at it with each %s, which is told twice a second at most",
  (use) => {
    const { heard } = on(undefined);
    for (let at = 0; at < 10; at += 1) {
      page.dispatchEvent(new Event(use));
      vi.advanceTimersByTime(100);
    }
    expect(heard).toEqual(["used", "used"]);
  },
);
