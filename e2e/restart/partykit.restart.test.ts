/** The same rooms on PartyKit's own host: a smoke test. The whole is proven under wrangler. */
import { createHash } from "node:crypto";
import { importJWK, SignJWT } from "jose";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SERVICE_AUDIENCE, TOKEN_AUDIENCE } from "#protocol/token.ts";
import { OWN_ISSUER } from "#protocol/issuer.ts";
import { PROTOCOL_VERSION } from "#protocol/version.ts";
import { makeSecrets } from "../../scripts/secrets.ts";
import { type PartyKit, startPartyKit } from "../rig/partykit.ts";

const secrets = makeSecrets();
const workspace = uuidv7();
const general = uuidv7();
const ana = uuidv7();

let partykit: PartyKit;

beforeAll(async () => {
  partykit = await startPartyKit({ SERVICE_SECRET: secrets.SERVICE_SECRET, ISSUERS: secrets.ISSUERS });
});

afterAll(() => partykit.stop());

interface Frame {
  readonly t: string;
  readonly [field: string]: unknown;
}

/** A connection, and the frames that have come. */
class Wire {
  readonly frames: Frame[] = [];
  private readonly socket: WebSocket;

  constructor(path: string) {
    this.socket = new WebSocket(new URL(path, partykit.url.replace("http", "ws")));
    this.socket.addEventListener("message", ({ data }) => this.frames.push(JSON.parse(String(data)) as Frame));
  }

  async send(frame: Frame): Promise<void> {
    if (this.socket.readyState === WebSocket.CONNECTING) {
      await new Promise((resolve) => this.socket.addEventListener("open", resolve, { once: true }));
    }
    this.socket.send(JSON.stringify(frame));
  }

  async receive(t: string): Promise<Frame> {
    await expect.poll(() => this.frames.map((frame) => frame.t), { timeout: 30_000 }).toContain(t);
    return this.frames.find((frame) => frame.t === t)!;
  }

  close(): void {
    this.socket.close();
  }
}

async function roomToken(): Promise<string> {
  const { keys } = JSON.parse(secrets.ROOM_KEYS) as { keys: [{ kid: string }] };
  return new SignJWT({
    ws: workspace,
    perms: { [`workspace:${workspace}`]: ["read", "write"], [`channel:${workspace}_*`]: ["read", "write"] },
    info: { name: "Ana" },
  })
    .setProtectedHeader({ alg: "ES256", kid: keys[0].kid })
    .setIssuer(OWN_ISSUER)
    .setAudience(TOKEN_AUDIENCE)
    .setSubject(ana)
    .setIssuedAt()
    .setExpirationTime("10m")
    .sign(await importJWK(keys[0], "ES256"));
}

/** What the edge does when somebody creates a workspace (protocol, section 9). */
async function createWorkspace(): Promise<Response> {
  const path = `/parties/workspace/${workspace}/create`;
  const body = JSON.stringify({
    workspace: { id: workspace, slug: "harbour", name: "Harbour" },
    owner: { user: ana, name: "Ana" },
    general,
  });
  const token = await new SignJWT({ method: "POST", path, body: createHash("sha256").update(body).digest("base64url") })
    .setProtectedHeader({ alg: "HS256" })
    .setAudience(SERVICE_AUDIENCE)
    .setIssuedAt()
    .setExpirationTime("60s")
    .sign(new TextEncoder().encode(secrets.SERVICE_SECRET));
  return fetch(new URL(path, partykit.url), {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body,
  });
}

async function enter(path: string, device: string): Promise<Wire> {
  const wire = new Wire(path);
  const token = await roomToken();
  await wire.send({ t: "hello", v: PROTOCOL_VERSION, token, device, since: null });
  return wire;
}

test("a workspace is made, a channel is entered, a message is posted, and all is there after a crash", async () => {
  expect((await createWorkspace()).ok).toBe(true);

  const directory = await enter(`/parties/workspace/${workspace}`, uuidv7());
  expect(await directory.receive("welcome")).toMatchObject({ you: { user: ana, role: "owner" } });
  expect(JSON.stringify(await directory.receive("changes"))).toContain(general);

  const device = uuidv7();
  const message = uuidv7();
  const op = { t: "op", n: 1, id: uuidv7(), op: "message.post", args: { id: message, text: "Ahoy" }, at: Date.now() };
  const channel = await enter(`/parties/channel/${workspace}_${general}`, device);
  await channel.receive("snapshot");
  await channel.send(op);
  expect(await channel.receive("ack")).toMatchObject({
    n: 1,
    entities: [{ kind: "message", id: message, text: "Ahoy" }],
  });
  directory.close();
  channel.close();

  await partykit.restart();

  // As our client comes back: with the number of the opening behind the room.
  const again = await enter(`/parties/channel/${workspace}_${general}/2`, device);
  expect(await again.receive("welcome")).toMatchObject({ lastN: 1 });
  expect(JSON.stringify(await again.receive("snapshot"))).toContain(message);
  await again.send(op);
  expect(await again.receive("ack")).toMatchObject({ n: 1, rev: null });
  again.close();
});
