import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { openTransport } from "./transport.ts";

test("each opening asks for another path of the same room: Firefox holds back a socket to one where others failed", async () => {
  const asked: string[] = [];
  // Every try fails: it answers, and not with a socket.
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const transport = openTransport(`ws://127.0.0.1:${port}/parties/channel/w_c`, WebSocket, 5_000);
  for (let opening = 0; opening < 4; opening++) {
    const closed = new Promise<number>((resolve) => {
      transport.listen({ opened: () => undefined, received: () => undefined, closed: resolve });
    });
    transport.open();
    expect(await closed).toBe(1006);
  }
  expect(asked[0]).toBe("/parties/channel/w_c");
  expect(asked.every((path) => path.startsWith("/parties/channel/w_c"))).toBe(true);
  expect(new Set(asked).size).toBe(4);
});
