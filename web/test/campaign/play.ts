// What people do. Each act takes a page that is open and does one thing that its screens offer.
import type { UserId } from "#protocol/ids.ts";
import type { Role } from "#protocol/roles.ts";
import type { Seeded } from "../sim/seeded.ts";
import { draftKey } from "./ledger.ts";
import {
  act,
  channelsOf,
  itemsOf,
  pickChannel,
  pickMessage,
  post,
  refused,
  rowsOf,
  unsettle,
  want,
  type Scene,
} from "./scene.ts";
import type { World } from "./world.ts";

interface Act {
  readonly weight: number;
  readonly run: (scene: Scene) => void;
}

const EMOJI = ["👍", "🎉", "⚓"];
const PEOPLE = ["olga", "mara", "tom", "gil"] as UserId[];

const ACTS: Readonly<Record<string, Act>> = {
  post: { weight: 30, run: (scene) => post(scene, pickChannel(scene), scene.serial) },
  burst: {
    weight: 3,
    run: (scene) => {
      const channel = pickChannel(scene);
      const count = scene.random.chance(0.15) ? 90 : 2 + scene.random.below(12);
      for (let i = 0; i < count; i++) post(scene, channel, `${scene.serial}.${i}`);
    },
  },
  reply: {
    weight: 6,
    run: (scene) => {
      const { channel } = scene.tab;
      const row = pickMessage(scene, () => true);
      if (row !== undefined && channel !== null) post(scene, channel, scene.serial, row.id);
    },
  },
  edit: {
    weight: 7,
    run: (scene) => {
      const { channel } = scene.tab;
      const row = pickMessage(scene, ({ isMine }) => isMine);
      if (row === undefined || channel === null) return;
      const text = `${scene.serial} edited`;
      want(scene, "edit", `text ${row.id}`, text, scene.commands.edit(channel, row.id, text));
    },
  },
  remove: {
    weight: 3,
    run: (scene) => {
      const { channel } = scene.tab;
      const row = pickMessage(scene, ({ isMine }) => isMine);
      if (row === undefined || channel === null) return;
      want(scene, "remove", `text ${row.id}`, "", scene.commands.remove(channel, row.id), [`gone ${row.id}`]);
    },
  },
  react: {
    weight: 8,
    run: (scene) => {
      const { channel, device } = scene.tab;
      const row = pickMessage(scene, () => true);
      if (row === undefined || channel === null) return;
      const emoji = scene.random.pick(EMOJI);
      const on = scene.random.chance(0.6);
      const work = scene.commands.react(channel, row.id, emoji, on);
      want(scene, "react", `react ${row.id} ${emoji} ${device.user}`, String(on), work);
    },
  },
  create: {
    weight: 2,
    run: (scene) => {
      const { world, random, tab, commands } = scene;
      if (world.made >= 6) return;
      world.made += 1;
      // Now and then two people want the same name.
      const name = random.chance(0.3) ? "deck" : `c${world.made}`;
      const access = random.chance(0.5) ? ("public" as const) : ("private" as const);
      const members =
        access === "private" ? PEOPLE.filter((user) => user !== tab.device.user && random.chance(0.5)) : [];
      act(scene, "create", [], commands.createChannel({ name, access, members }), (channel) => {
        for (let i = random.below(4); i > 0; i--) post(scene, channel, `${scene.serial}.${i}`);
        if (random.chance(0.5)) tab.look(channel);
      });
    },
  },
  rename: {
    weight: 1,
    run: (scene) => {
      const channel = pickChannel(scene);
      const name = scene.random.chance(0.2) ? "deck" : `n${scene.serial.replaceAll(/[^a-z0-9]/g, "")}`;
      want(scene, "rename", `name ${channel}`, name, scene.commands.renameChannel(channel, name));
    },
  },
  topic: {
    weight: 2,
    run: (scene) => {
      const channel = pickChannel(scene);
      want(scene, "topic", `topic ${channel}`, scene.serial, scene.commands.setTopic(channel, scene.serial));
    },
  },
  archive: {
    weight: 1,
    run: (scene) => {
      const channel = pickChannel(scene);
      if (channel === scene.world.general) return;
      const on = scene.random.chance(0.5);
      want(scene, "archive", `archived ${channel}`, String(on), scene.commands.archiveChannel(channel, on));
    },
  },
  join: {
    weight: 3,
    run: (scene) => {
      const open = channelsOf(scene.tab).filter(({ isJoined }) => !isJoined);
      if (open.length > 0) act(scene, "join", [], scene.commands.joinChannel(scene.random.pick(open).id));
    },
  },
  leave: {
    weight: 1,
    run: (scene) => {
      const channel = pickChannel(scene);
      if (channel !== scene.world.general) act(scene, "leave", [], scene.commands.leaveChannel(channel));
    },
  },
  members: {
    weight: 4,
    run: (scene) => {
      const { random, commands } = scene;
      const channel = pickChannel(scene);
      if (channel === scene.world.general) return;
      const user = random.pick(PEOPLE);
      const change = random.chance(0.5) ? { add: [user] } : { remove: [user] };
      act(scene, "members", [], commands.changeMembers(channel, change));
    },
  },
  role: {
    weight: 1,
    run: (scene) => {
      const user = scene.random.pick(PEOPLE.slice(1));
      const role = scene.random.pick(["admin", "member", "guest"] as Role[]);
      act(scene, "role", [], scene.commands.setRole(user, role));
    },
  },
  star: {
    weight: 2,
    run: (scene) => {
      const channel = pickChannel(scene);
      const on = scene.random.chance(0.5);
      want(
        scene,
        "star",
        `star ${channel} ${scene.tab.device.user}`,
        String(on),
        scene.commands.setPrefs(channel, { starred: on }),
      );
    },
  },
  read: {
    weight: 8,
    run: ({ tab, random, commands, world }) => {
      const row = rowsOf(tab).findLast(({ seq }) => seq !== null && random.chance(0.7));
      if (row === undefined || row.seq === null || tab.channel === null) return;
      world.ledger.count("read");
      commands.markRead(tab.channel, row.seq);
    },
  },
  unread: {
    weight: 1,
    run: ({ tab, random, commands, world }) => {
      const row = rowsOf(tab).findLast(({ seq }) => seq !== null && random.chance(0.4));
      if (row === undefined || row.seq === null || tab.channel === null) return;
      world.ledger.count("unread");
      commands.markUnread(tab.channel, row.seq);
    },
  },
  draft: {
    weight: 6,
    run: (scene) => {
      const { random, commands } = scene;
      const text = random.chance(0.2) ? "" : `draft ${scene.serial}`;
      const channel = pickChannel(scene);
      want(scene, "draft", draftKey(channel, scene.tab.device.user), text, commands.setDraft(channel, text));
    },
  },
  look: {
    weight: 6,
    run: ({ tab, random, world }) => {
      const rows = channelsOf(tab);
      tab.look(rows.length === 0 ? world.general : random.pick(rows).id);
    },
  },
  scroll: { weight: 3, run: ({ tab }) => tab.timeline?.loadOlder() },
  pin: {
    weight: 3,
    run: (scene) => {
      const { channel } = scene.tab;
      const row = pickMessage(scene, ({ seq }) => seq !== null);
      if (row === undefined || channel === null) return;
      const on = scene.random.chance(0.6);
      want(scene, "pin", `pin ${row.id}`, String(on), scene.commands.pin(channel, row.id, on));
    },
  },
  profile: {
    weight: 1,
    run: (scene) => act(scene, "profile", [], scene.commands.updateProfile({ title: scene.serial })),
  },
  retry: {
    weight: 4,
    run: (scene) => {
      const item = refused(scene);
      if (item === undefined) return;
      const { world, random, commands } = scene;
      const { change } = item;
      unsettle(scene, item);
      if (change.op === "message.post") world.ledger.retried.add(change.args.id);
      // What waited for it goes now as well.
      for (const { change: other } of itemsOf(scene.tab))
        if (other.op === "message.post") world.ledger.retried.add(other.args.id);
      const text = change.op === "message.post" && random.chance(0.4) ? `${scene.serial} again` : undefined;
      if (change.op === "channel.create" && random.chance(0.7))
        act(scene, "retry", [], commands.renameChannel(change.args.id, `r${world.made++}`));
      else act(scene, "retry", [], commands.retry(item.op, text));
    },
  },
  discard: {
    weight: 2,
    run: (scene) => {
      const item = scene.random.chance(0.5)
        ? refused(scene)
        : itemsOf(scene.tab).find(({ mayTakeBack }) => mayTakeBack);
      if (item === undefined) return;
      const { world, commands } = scene;
      for (const each of itemsOf(scene.tab)) {
        if (each.op !== item.op && each.waitsFor === undefined) continue;
        unsettle(scene, each);
        if (each.change.op === "message.post") world.ledger.discarded.add(each.change.args.id);
      }
      // What is taken back goes on as a draft.
      if (item.channel !== null) world.ledger.unsure.add(draftKey(item.channel, scene.tab.device.user));
      act(scene, "discard", [], commands.discard(item.op, item.maybeDelivered === true ? "draft" : undefined));
    },
  },
  move: {
    weight: 1,
    run: (scene) => {
      const item = refused(scene);
      if (item === undefined || item.change.op !== "message.post") return;
      const { world, commands } = scene;
      for (const each of itemsOf(scene.tab)) {
        if (each.op !== item.op && each.waitsFor === undefined) continue;
        unsettle(scene, each);
        if (each.change.op === "message.post") world.ledger.discarded.add(each.change.args.id);
      }
      act(scene, "move", [], commands.moveTo(item.op, world.general));
    },
  },
};

const NAMES = Object.keys(ACTS);
const TOTAL = Object.values(ACTS).reduce((sum, { weight }) => sum + weight, 0);

/** Somebody does something. */
export function play(world: World, random: Seeded, step: number): void {
  const tabs = world.tabs.filter(({ workspace, isHung }) => workspace !== null && !isHung);
  if (tabs.length === 0) return;
  const tab = random.pick(tabs);
  const { workspace } = tab;
  if (workspace === null) return;
  let left = random.next() * TOTAL;
  const name = NAMES.find((each) => (left -= ACTS[each]?.weight ?? 0) < 0) ?? "post";
  world.trace(`${tab.name} does ${name}`);
  ACTS[name]?.run({ world, tab, random, commands: workspace.commands, serial: `${tab.device.name}#${step}` });
}
