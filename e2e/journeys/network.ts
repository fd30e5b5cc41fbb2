/** The plug, the shell and the portal: what happens between a browser and its server. */
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import type { Page } from "playwright-core";
import { connectionState } from "./channel.ts";
import { eventually } from "./eventually.ts";
import type { Desk } from "./stage.ts";

/**
 * The service worker is there and holds the shell: from now on the page opens without a network. It has taken this page
 * over, too: what the page fetches only when it is needed comes from the worker as well.
 */
export async function shellIsKept(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { serviceWorker } = navigator;
    await serviceWorker.ready;
    if (serviceWorker.controller !== null) return;
    await new Promise((resolve) => serviceWorker.addEventListener("controllerchange", resolve, { once: true }));
  });
}

/** The cable back in. An operating system says so with `online`; the app then tries at once. */
export async function plugIn({ proxy, context }: Pick<Desk, "proxy" | "context">): Promise<void> {
  proxy.up();
  await Promise.all(context.pages().map((page) => page.evaluate(() => dispatchEvent(new Event("online")))));
}

export interface Portal {
  readonly port: number;
  /** Paths asked for, in order. */
  readonly asked: string[];
  answer: RequestListener;
  close(): Promise<void>;
}

export const LOGIN_PAGE = "<!doctype html><title>Harbour Wi-Fi</title><h1>Accept our terms to go online</h1>";

/** The network of a hotel: it answers everything, by itself. */
export async function startPortal(): Promise<Portal> {
  const server = createServer((request, response) => {
    portal.asked.push(request.url ?? "");
    portal.answer(request, response);
  });
  const portal: Portal = {
    port: 0,
    asked: [],
    answer: (_request, response) => response.writeHead(200, { "content-type": "text/html" }).end(LOGIN_PAGE),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(portal, { port: (server.address() as AddressInfo).port });
}

/** Behind an address with https, who can't speak it: every handshake fails, in one of these ways. */
export interface NoTls {
  readonly url: string;
  /** How many browsers have begun a handshake. */
  readonly hellos: number;
  answer: (hello: Socket) => void;
  close(): Promise<void>;
}

export const FAILS_TO_SHAKE_HANDS = {
  ERR_SSL_PROTOCOL_ERROR: (hello: Socket) => hello.end("HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n"),
  // TLS's own way to say it: an alert, fatal, `handshake_failure`.
  ERR_SSL_VERSION_OR_CIPHER_MISMATCH: (hello: Socket) => hello.end(Buffer.from([21, 3, 3, 0, 2, 2, 40])),
  ERR_CONNECTION_RESET: (hello: Socket) => hello.resetAndDestroy(),
} as const;

export async function startNoTls(): Promise<NoTls> {
  const open = new Set<Socket>();
  let hellos = 0;
  const server = createTcpServer((socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    // The browser may have gone by then.
    socket.on("error", () => undefined);
    socket.once("data", () => {
      hellos += 1;
      noTls.answer(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const noTls: NoTls = {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get hellos() {
      return hellos;
    },
    answer: FAILS_TO_SHAKE_HANDS.ERR_SSL_PROTOCOL_ERROR,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
  return noTls;
}

export async function cutOff(desk: Desk): Promise<void> {
  desk.proxy.cut();
  await eventually(() => connectionState(desk.page)).toBe("offline");
}
