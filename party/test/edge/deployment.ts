// A deployment for the edge's tests: the real app over the real D1 of the test, keys made for it, and rooms that
// answer as protocol, section 9 says. The rooms check every signature, so a test here is a test of the contract.
import {
  applyD1Migrations,
  createExecutionContext,
  env as bindings,
  waitOnExecutionContext,
  type D1Migration,
} from "cloudflare:test";
import { exports } from "cloudflare:workers";
import { exportJWK, generateKeyPair } from "jose";
import { vi } from "vitest";
import { app } from "../../../edge/app.ts";
import type { Env } from "../../../edge/env.ts";
import { FakeRooms } from "./fake-rooms.ts";

declare global {
  namespace Cloudflare {
    interface Env {
      readonly DB: D1Database;
      readonly TEST_MIGRATIONS: D1Migration[];
    }
    interface GlobalProps {
      readonly mainModule: typeof import("../../../edge/worker.ts");
    }
  }
}

export const ORIGIN = "https://chat.example";
export const SERVICE_SECRET = "service-secret-of-the-tests-0123456789";

export interface Deployment {
  readonly env: Env;
  readonly rooms: FakeRooms;
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
}

// Rooms that can't be reached are a matter of these tests, not of whoever reads their output.
vi.spyOn(console, "warn").mockImplementation(() => undefined);

/** Applies the migrations once a file; every deployment of a file shares its database. */
export async function deploy(variables: Partial<Env> = {}): Promise<Deployment> {
  await applyD1Migrations(bindings.DB, bindings.TEST_MIGRATIONS);
  const rooms = new FakeRooms(SERVICE_SECRET);
  const env: Env = {
    DB: bindings.DB,
    ASSETS: { fetch: () => Promise.resolve(new Response("no such file", { status: 404 })) } as unknown as Fetcher,
    WORKSPACE: rooms.namespace,
    CHANNEL: rooms.namespace,
    BETTER_AUTH_SECRET: "session-secret-of-the-tests-0123456789",
    SERVICE_SECRET,
    ROOM_KEYS: await newRoomKeys("test-1"),
    OPEN_SIGNUP: "true",
    ...variables,
  };
  return {
    env,
    rooms,
    fetch: async (path, init) => {
      const context = createExecutionContext();
      const response = await app.fetch(new Request(new URL(path, ORIGIN), init), env, context);
      await waitOnExecutionContext(context);
      return response;
    },
  };
}

export async function newRoomKeys(...kids: string[]): Promise<string> {
  const keys = kids.map(async (kid) => {
    const { privateKey } = await generateKeyPair("ES256", { extractable: true });
    return { ...(await exportJWK(privateKey)), kid };
  });
  return JSON.stringify({ keys: await Promise.all(keys) });
}

/** The whole Worker as wrangler.toml binds it, rooms and all, with the keys of this run. */
export async function deployWhole(): Promise<Pick<Deployment, "fetch">> {
  await applyD1Migrations(bindings.DB, bindings.TEST_MIGRATIONS);
  return { fetch: async (path, init) => exports.default.fetch(new Request(new URL(path, ORIGIN), init)) };
}
