// The device for the model of a replica: its store, its link, and whether it keeps what it promises.
import type { Message } from "#protocol/entities/message.ts";
import type { Ack } from "#protocol/frames/answer.ts";
import type { History } from "#protocol/frames/history.ts";
import { memoryBackend } from "../../store/memory.ts";
import { putLeader } from "../../store/meta.ts";
import { createStore, type Store } from "../../store/store.ts";
import { prefix } from "../../store/tx.ts";
import { FRAME_TABLES, replicaStore, storeAck, type ReplicaStore } from "../../sync/replica-store.ts";
import { docOf } from "../../sync/search/query.ts";
import { CHANNEL } from "../ops.ts";
import { brokenNow, differences, nameOf, type Seen } from "./promises.ts";
import { ME, ModelRoom } from "./room.ts";
import { ModelSearch } from "./search.ts";

const TAB = "tab";
const QUIET = { send: () => undefined, listen: () => () => undefined, close: () => undefined };

export class ModelDevice {
  readonly room = new ModelRoom();
  readonly store: Store = createStore(memoryBackend(), QUIET);
  readonly replica: ReplicaStore = replicaStore(this.store, TAB, CHANNEL, ME);
  readonly search = new ModelSearch(this.store);
  /** The connection: up to which rev it told, and whether what is new comes on it. */
  link: { to: number; isLive: boolean } | null = null;
  /** A page of older messages, which may come again when it is long out of date. */
  late: { readonly page: History; readonly asked: { before: number } } | null = null;

  async lead(): Promise<void> {
    await this.store.write({ tables: ["meta"], durability: "strict" }, async (tx) => putLeader(tx, TAB));
  }

  async seen(): Promise<Seen> {
    const records = await this.store.read(["messages"], (tx) => tx.all("messages", prefix(CHANNEL)));
    return { room: this.room, record: await this.replica.read(), held: records.map(({ message }) => message) };
  }

  /** Throws where something is broken. */
  async keeps(broken: (seen: Seen) => readonly string[] = brokenNow): Promise<void> {
    const seen = await this.seen();
    const by = broken(seen);
    if (by.length === 0) return;
    const held = `held: ${seen.held.map(nameOf).join(" ")}`;
    throw new Error([...by, held, `record: ${JSON.stringify(seen.record)}`].join("\n"));
  }

  /** Throws where the search, once it has caught up, finds something else than what is held. */
  async finds(): Promise<void> {
    const found = await this.search.found();
    if (found === null) return;
    await this.keeps(({ held }) => {
      const wrong = differences(found, held.filter((message) => docOf(CHANNEL, message) !== null).map(nameOf));
      return wrong.length === 0 ? [] : [`the search finds what is held: not so by ${wrong.join(" ")}`];
    });
  }

  /** @param epoch what `welcome` said on its connection, if it came on one */
  async answered(message: Message, more: Pick<Ack, "from">, epoch?: string): Promise<void> {
    const ack: Ack = { t: "ack", n: 1, rev: message.rev, entities: [message], ...more };
    await this.store.write({ tables: FRAME_TABLES, durability: "relaxed", leader: TAB }, (tx) =>
      storeAck(tx, CHANNEL, ME, ack, epoch),
    );
  }
}
