import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Proxy, startProxy } from "./proxy.ts";

/** What arrived on a socket, and how it ended. */
interface End {
  readonly socket: Socket;
  text: string;
  ending: "open" | "closed" | "reset";
}

let echo: Server;
let heard = "";
let proxy: Proxy;
const ends: End[] = [];

beforeEach(async () => {
  heard = "";
  echo = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      heard += chunk.toString();
      socket.write(chunk);
    });
  });
  await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
  proxy = await startProxy((echo.address() as AddressInfo).port);
});

afterEach(async () => {
  await proxy.close();
  for (const { socket } of ends.splice(0)) socket.destroy();
  await new Promise((resolve) => echo.close(resolve));
});

function open(): End {
  const socket = connect(proxy.port, "127.0.0.1");
  const end: End = { socket, text: "", ending: "open" };
  socket.on("data", (chunk) => (end.text += chunk.toString()));
  socket.on("error", () => (end.ending = "reset"));
  socket.on("close", () => (end.ending = end.ending === "open" ? "closed" : end.ending));
  ends.push(end);
  return end;
}

async function opened(): Promise<End> {
  const end = open();
  end.socket.write("hello ");
  await expect.poll(() => end.text).toBe("hello ");
  return end;
}

test("up: bytes pass both ways, and an end is passed on", async () => {
  const end = await opened();
  end.socket.end("bye");
  await expect.poll(() => end).toMatchObject({ text: "hello bye", ending: "closed" });
  await expect.poll(() => proxy.connectionCount).toBe(0);
});

test("cut: open connections are reset at once, new ones too; up takes new ones again", async () => {
  const before = await opened();
  proxy.cut();
  await expect.poll(() => before.ending).toBe("reset");
  const during = open();
  await expect.poll(() => during.ending).toBe("reset");
  proxy.up();
  await opened();
});

test("hang: nothing passes and nothing closes; up resets whoever lost bytes", async () => {
  const idle = await opened();
  const busy = await opened();
  proxy.hang();
  busy.socket.write("lost");
  const late = open();
  late.socket.write("never");
  await expect.poll(() => proxy.connectionCount).toBe(3);
  const marker = await roundTripBeside();
  expect(marker).toBe("answered");
  expect([idle.ending, busy.ending, late.ending, busy.text, late.text]).toEqual(["open", "open", "open", "hello ", ""]);
  proxy.up();
  await expect.poll(() => [busy.ending, late.ending]).toEqual(["reset", "reset"]);
  idle.socket.write("still here");
  await expect.poll(() => idle.text).toBe("hello still here");
});

test("dropUp: the server hears nothing", async () => {
  const end = await opened();
  proxy.dropUp();
  end.socket.write("lost");
  await roundTripBeside();
  expect(heard).toBe("hello ");
  expect(end.ending).toBe("open");
});

test("swallowDown: the server hears everything, its answer is lost", async () => {
  const end = await opened();
  proxy.swallowDown();
  end.socket.write("heard");
  await expect.poll(() => heard).toBe("hello heard");
  await roundTripBeside();
  expect(end).toMatchObject({ text: "hello ", ending: "open" });
});

test("cutAfter: exactly so many bytes pass in that direction, then everything is cut", async () => {
  const end = await opened();
  const done = proxy.cutAfter("up", 3);
  end.socket.write("abcdef");
  await done;
  await expect.poll(() => end.ending).toBe("reset");
  await expect.poll(() => heard).toBe("hello abc");
  const late = open();
  await expect.poll(() => late.ending).toBe("reset");
});

test("divert: open connections are reset and new ones reach the other server, until it is taken back", async () => {
  const portal = createServer((socket) => socket.on("error", () => undefined).end("portal"));
  await new Promise<void>((resolve) => portal.listen(0, "127.0.0.1", resolve));
  const before = await opened();
  proxy.divert((portal.address() as AddressInfo).port);
  await expect.poll(() => before.ending).toBe("reset");
  const during = open();
  await expect.poll(() => during.text).toBe("portal");
  proxy.divert();
  await opened();
  portal.close();
});

test("slow: order is kept, and delay and rate are felt", async () => {
  const end = await opened();
  proxy.slow({ kbps: 80, ms: 50 });
  const from = performance.now();
  for (let n = 0; n < 10; n++) end.socket.write(`${n}`.repeat(100));
  const whole = Array.from({ length: 10 }, (_, n) => `${n}`.repeat(100)).join("");
  await expect.poll(() => end.text).toBe(`hello ${whole}`);
  // 1,000 bytes at 80 kbit/s take 100 ms, and the delay is paid there and back; each timer may be a little early.
  expect(performance.now() - from).toBeGreaterThan(175);
});

/** Another connection's round trip, past the proxy: by then the loop has carried everything that could move. */
async function roundTripBeside(): Promise<string> {
  const before = heard;
  const socket = connect((echo.address() as AddressInfo).port, "127.0.0.1");
  await new Promise<void>((resolve) => {
    socket.on("data", () => resolve());
    socket.write("x");
  });
  socket.destroy();
  heard = heard === `${before}x` ? before : heard.replace(/x$/, "");
  return "answered";
}
