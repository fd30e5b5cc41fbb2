/** What a restart of the whole Worker must not change: accounts, rooms, and what each device was answered. */
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as v from "valibot";
import { changes } from "#protocol/frames/changes.ts";
import { authResponse, opsResponse, type OpsResponse } from "#protocol/http.ts";
import { makeTeam, type Person, type Team } from "../rig/people.ts";
import { type BuiltWorker, startWorker } from "../rig/worker.ts";

let worker: BuiltWorker;

beforeAll(async () => {
  worker = await startWorker();
});

afterAll(() => worker.stop());

/** One room, by one person, as one device. */
class Room {
  readonly address: string;
  private readonly token: string;
  private readonly device = uuidv7();

  private constructor(address: string, token: string) {
    this.address = address;
    this.token = token;
  }

  static async open(person: Person, { workspace, general }: Team): Promise<Room> {
    const room = `channel:${workspace.id}_${general}`;
    const { token } = v.parse(authResponse, await person.post("/api/rooms/auth", { room, reason: "connect", v: 1 }));
    return new Room(`${person.url}/parties/channel/${workspace.id}_${general}`, token);
  }

  async send(ops: readonly object[]): Promise<OpsResponse> {
    const response = await fetch(`${this.address}/ops`, {
      method: "POST",
      headers: { authorization: `Bearer ${this.token}`, "content-type": "application/json" },
      body: JSON.stringify({ device: this.device, ops }),
    });
    return v.parse(opsResponse, await response.json());
  }

  async changes(): Promise<v.InferOutput<typeof changes>> {
    const response = await fetch(`${this.address}/changes?since=0`, {
      headers: { authorization: `Bearer ${this.token}` },
    });
    return v.parse(changes, await response.json());
  }
}

const post = (n: number, text: string): object => ({
  t: "op",
  n,
  id: uuidv7(),
  op: "message.post",
  args: { id: uuidv7(), text },
  at: Date.now(),
});

test("[RV6] all that was acknowledged is there after a restart, at the same revs", async () => {
  const team = await makeTeam(worker.url, ["Ana", "Bo"]);
  const room = await Room.open(team.people[0]!, team);
  const answer = await room.send([post(1, "one"), post(2, "two"), post(3, "three")]);
  expect(answer.results.map(({ t }) => t)).toEqual(["ack", "ack", "ack"]);
  const before = await room.changes();
  await worker.restart();
  expect(await room.changes()).toEqual(before);
  expect((await team.people[1]!.me()).workspaces).toMatchObject([{ id: team.workspace.id, role: "member" }]);
});

test("[OP3] after a restart the same numbers get the same answers, nothing is there twice, and the next number goes on", async () => {
  const team = await makeTeam(worker.url, ["Ana"]);
  const room = await Room.open(team.people[0]!, team);
  const ops = [post(1, "one"), { ...post(2, "two"), args: { id: "no id!", text: "two" } }, post(3, "three")];
  const first = await room.send(ops);
  expect(first.results.map(({ t }) => t)).toEqual(["ack", "refuse", "ack"]);
  const before = await room.changes();
  await worker.restart();
  const again = await room.send(ops);
  expect(again.results).toMatchObject([{ t: "ack", n: 1, rev: null }, first.results[1], { t: "ack", n: 3, rev: null }]);
  expect(await room.changes()).toEqual(before);
  expect((await room.send([post(4, "four")])).results).toMatchObject([{ t: "ack", n: 4 }]);
});
