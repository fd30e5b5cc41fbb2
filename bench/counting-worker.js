/**
 * The built Worker with a counter around each room's storage. What counts is what the platform bills as a row written:
 * each key of a put or a delete, and each alarm set. `GET /bench/rows` answers the counts so far, by room class.
 * Plain JavaScript, copied beside the bundle that it imports.
 */
import worker, * as bundle from "./worker.js";

const counts = {};

function counted(name, Room) {
  return class extends Room {
    constructor(ctx, env) {
      super(ctx, env);
      count(ctx.storage, (rows) => {
        counts[name] = (counts[name] ?? 0) + rows;
      });
    }
  };
}

function count(storage, add) {
  const { put, delete: remove, setAlarm, transaction } = storage;
  storage.put = (key, ...rest) => {
    add(typeof key === "string" ? 1 : Object.keys(key).length);
    return put.call(storage, key, ...rest);
  };
  storage.delete = (key, ...rest) => {
    add(typeof key === "string" ? 1 : key.length);
    return remove.call(storage, key, ...rest);
  };
  storage.setAlarm = (...args) => {
    add(1);
    return setAlarm.apply(storage, args);
  };
  storage.transaction = (body, ...rest) =>
    transaction.call(
      storage,
      (inner) => {
        count(inner, add);
        return body(inner);
      },
      ...rest,
    );
}

export const WorkspaceRoom = counted("workspace", bundle.WorkspaceRoom);
export const ChannelRoom = counted("channel", bundle.ChannelRoom);

// oxlint-disable-next-line import/no-default-export -- workerd starts what is the default
export default {
  ...worker,
  fetch(request, ...rest) {
    return new URL(request.url).pathname === "/bench/rows" ? Response.json(counts) : worker.fetch(request, ...rest);
  },
};
