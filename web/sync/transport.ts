// A socket in four methods. partysocket times a hung opening out and spares us the platforms' differences; it never
// reconnects by itself and never queues: the link decides when to open, and the outbox is the only queue.
import ReconnectingWebSocket from "partysocket/ws";

export interface Transport {
  readonly open: () => void;
  /** False when it could not be sent; nothing is kept for later. */
  readonly send: (text: string) => boolean;
  /** Without a `closed` event: whoever closes knows. */
  readonly close: () => void;
  readonly listen: (handlers: TransportHandlers) => void;
}

export interface TransportHandlers {
  readonly opened: () => void;
  readonly received: (text: string) => void;
  readonly closed: (code: number) => void;
}

/** The close code of a connection that broke or never came about. */
const ABNORMAL = 1006;

/**
 * @param url the room's. Each opening but the first has its number behind that, which the rooms don't read (protocol,
 * section 3): Firefox (153) holds a socket back, for up to a minute, where others to that very path failed.
 */
export function openTransport(url: string, webSocket: typeof WebSocket, timeoutMs: number): Transport {
  let openings = 0;
  const next = (): string => (openings++ === 0 ? url : `${url}/${openings}`);
  const socket = new ReconnectingWebSocket(next, [], {
    WebSocket: webSocket,
    startClosed: true,
    maxEnqueuedMessages: 0,
    connectionTimeout: timeoutMs,
    shouldReconnectOnClose: () => false,
  });
  let isWanted = false;
  let handlers: TransportHandlers | null = null;
  const closed = (code: number): void => {
    if (!isWanted) return;
    isWanted = false;
    handlers?.closed(code);
  };
  socket.addEventListener("open", () => {
    if (isWanted) handlers?.opened();
  });
  socket.addEventListener("message", ({ data }) => {
    if (isWanted && typeof data === "string") handlers?.received(data);
  });
  // partysocket makes up 1000 for a connection that failed; a room never closes with it.
  socket.addEventListener("close", ({ code }) => closed(code === 1000 ? ABNORMAL : code));
  socket.addEventListener("error", () => closed(ABNORMAL));
  return {
    open: () => {
      isWanted = true;
      socket.reconnect();
    },
    send: (text) => isWanted && socket.readyState === socket.OPEN && socket.send(text),
    close: () => {
      isWanted = false;
      socket.close();
    },
    listen: (next) => {
      handlers = next;
    },
  };
}
