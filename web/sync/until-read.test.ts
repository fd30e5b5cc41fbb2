import { expect, it } from "vitest";
import { untilRead, type Reading } from "./until-read.ts";

function rig() {
  const state = { isOver: false, pauses: 0, told: [] as unknown[] };
  const reading: Reading = {
    timers: {
      set: (callback) => {
        state.pauses += 1;
        queueMicrotask(callback);
        return null;
      },
      clear: () => undefined,
    },
    failed: async (error) => void state.told.push(error),
    isOver: () => state.isOver,
  };
  return { state, reading };
}

const takenAway = (): never => {
  throw new DOMException("The connection was closed.", "AbortError");
};

it("asks again for as long as the disk is being taken away", async () => {
  const { state, reading } = rig();
  let tries = 0;
  expect(await untilRead(reading, async () => (++tries < 3 ? takenAway() : "read"))).toBe("read");
  expect(state).toMatchObject({ pauses: 2, told: [] });
});

it("tells of anything else, and gives up", async () => {
  const { state, reading } = rig();
  const broken = new DOMException("Internal error.", "UnknownError");
  expect(await untilRead(reading, () => Promise.reject(broken))).toBeNull();
  expect(state).toMatchObject({ pauses: 0, told: [broken] });
});

it("stops when nobody wants to know any more", async () => {
  const { state, reading } = rig();
  const asked = untilRead(reading, async () => {
    state.isOver = true;
    return takenAway();
  });
  expect(await asked).toBeNull();
});
