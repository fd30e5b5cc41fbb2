/** What was accepted from each author, in the order written: the one side of the comparison. */
import type { ChannelId, MessageId } from "#protocol/ids.ts";
import { normalise } from "#protocol/text.ts";
import type { Written } from "./verdict.ts";

interface Entry {
  readonly id: MessageId;
  readonly channel: ChannelId;
  readonly author: string;
  text: string;
  isRemoved: boolean;
  readonly reactions: Set<string>;
}

export class Diary {
  /** Key in the plan → entry; in the order written. */
  readonly #entries = new Map<number, Entry>();

  posted(key: number, post: Pick<Entry, "id" | "channel" | "author" | "text">): void {
    this.#entries.set(key, { ...post, text: normalise(post.text), isRemoved: false, reactions: new Set() });
  }

  edited(key: number, text: string): void {
    this.#entry(key).text = normalise(text);
  }

  removed(key: number): void {
    this.#entry(key).isRemoved = true;
  }

  reacted(key: number, reaction: string, on: boolean): void {
    const { reactions } = this.#entry(key);
    if (on) reactions.add(reaction);
    else reactions.delete(reaction);
  }

  idOf(key: number): MessageId {
    return this.#entry(key).id;
  }

  placeOf(key: number): Pick<Entry, "id" | "channel"> {
    return this.#entry(key);
  }

  count(): number {
    return this.#entries.size;
  }

  written(): Written[] {
    return [...this.#entries.values()];
  }

  #entry(key: number): Entry {
    const entry = this.#entries.get(key);
    if (entry === undefined) throw new Error(`Message ${key} hasn't been written`);
    return entry;
  }
}
