/**
 * The built Worker whose channel rooms can't store some writes: whatever says "fails to be stored" fails so often before
 * it is taken. Plain JavaScript, copied beside the bundle that it imports.
 */
import worker, * as bundle from "./worker.js";

const FAILURES = 2;
/** Text → how often its write failed. */
const failed = new Map();

export const WorkspaceRoom = bundle.WorkspaceRoom;

export class ChannelRoom extends bundle.ChannelRoom {
  constructor(ctx, env) {
    super(ctx, env);
    const { storage } = ctx;
    const { put } = storage;
    storage.put = (key, ...rest) => {
      const text = /text \d+ fails to be stored/.exec(JSON.stringify([key, ...rest]))?.[0];
      const times = failed.get(text) ?? 0;
      if (text === undefined || times >= FAILURES) return put.call(storage, key, ...rest);
      failed.set(text, times + 1);
      return Promise.reject(new Error("The disk says no"));
    };
  }
}

// oxlint-disable-next-line import/no-default-export -- workerd starts what is the default
export default worker;
