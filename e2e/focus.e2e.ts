// Whoever types somewhere goes on typing there: what is stored late, comes from others or comes back takes no focus, and
// what is typed meanwhile goes nowhere else.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { account, signUp } from "./journeys/account.ts";
import {
  act,
  channelLink,
  composer,
  connection,
  connectionState,
  editor,
  isDelivered,
  isLive,
  isQueued,
  message,
  say,
} from "./journeys/channel.ts";
import { eventually } from "./journeys/eventually.ts";
import { inspect, SIZES, SMALLEST } from "./journeys/inspect.ts";
import { faultyDisk, hold } from "./journeys/faulty-disk.ts";
import { liveDesk } from "./journeys/live.ts";
import { cutOff, plugIn, shellIsKept } from "./journeys/network.ts";
import { channelPath, lineOf } from "./journeys/rooms.ts";
import { inOutbox, openOutbox } from "./journeys/outbox.ts";
import { setStage, type Desk } from "./journeys/stage.ts";
import { makeTeam, type Team } from "./rig/people.ts";

const stage = setStage();

/** By each of three: more than the newest page holds, so that nothing of what stood on the screen is left there. */
const MISSED_EACH = 90;
/** So often a key repeats where it is held on for a moment. */
const HELD_ON = 10;

test("an edit is saved while the disk hangs: it takes no more, and what one types on is the composer's to the end", async () => {
  const { page } = await someone();
  await savesSlowly(page);
  await page.keyboard.type("Half a ");
  expect(await editor(page).inputValue()).toBe("Second words");
  await hold(page, {});
  await isDelivered(page, "Second words");
  await eventually(() => editor(page).count()).toBe(0);
  await page.keyboard.type("thought");
  expect(await composer(page).inputValue()).toBe("Half a thought");
});

test("whoever presses on a message, or edits one by a pointer, and types means the composer: no letter is an order", async () => {
  const { team, page } = await someone();
  await message(page, "First words").getByText("First words").click();
  await page.keyboard.type("up at ten");
  expect(await composer(page).inputValue()).toBe("up at ten");
  await page.keyboard.press("Enter");
  await isDelivered(page, "up at ten");
  await edit(page, "Other words");
  await editor(page).fill("Mended words");
  await editor(page).press("Enter");
  await page.keyboard.type("great, thanks");
  await page.keyboard.press("Enter");
  await isDelivered(page, "great, thanks");
  await edit(page, "First words");
  await page.keyboard.press("Escape");
  await page.keyboard.type("red paint");
  expect(await composer(page).inputValue()).toBe("red paint");
  expect(await lineOf(team).texts(team.general)).toEqual(["First words", "Mended words", "up at ten", "great, thanks"]);
  expect(await page.getByRole("button", { name: "👍" }).count()).toBe(0);
  expect(await page.getByText("Pinned").count()).toBe(0);
});

test("an edit that is saved late closes its own editor alone", async () => {
  const { page } = await someone();
  await savesSlowly(page);
  await edit(page, "Other words");
  await page.keyboard.type(" and half a ");
  await hold(page, {});
  await isDelivered(page, "Second words");
  await page.keyboard.type("thought");
  expect(await editor(page).inputValue()).toBe("Other words and half a thought");
});

test("a deletion that is stored late takes no focus from where one types", async () => {
  const { page } = await someone();
  await act(page, "Other words", "Delete");
  await hold(page, { isHolding: true });
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await composer(page).focus();
  await page.keyboard.type("Half a ");
  await hold(page, {});
  await message(page, "This message was deleted").waitFor();
  await page.keyboard.type("thought");
  expect(await composer(page).inputValue()).toBe("Half a thought");
});

test("by keys alone one stays at the message: a deletion is called off, one's own only reaction taken back", async () => {
  const { page } = await someone();
  const article = message(page, "Other words");
  await page.keyboard.press("Tab");
  await article.focus();
  await article.getByRole("toolbar").getByRole("button", { name: "Delete" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await eventually(() => page.getByRole("dialog").count()).toBe(0);
  const isThere = (): Promise<boolean> => article.evaluate((element) => document.activeElement === element);
  expect(await isThere()).toBe(true);
  await page.keyboard.press("r");
  // It is shown a moment before it is heard that it is, and the first of them focused.
  const choice = article.getByRole("toolbar", { name: "React" });
  await eventually(() => choice.evaluate((it) => it.contains(document.activeElement))).toBe(true);
  await page.keyboard.press("Enter");
  await eventually(() => choice.isVisible()).toBe(false);
  const reaction = article.getByRole("button", { name: "👍" });
  await reaction.focus();
  await page.keyboard.press("Enter");
  await eventually(() => reaction.count()).toBe(0);
  expect(await isThere()).toBe(true);
});

test("an edit whose message is deleted meanwhile stands there, and what one types in the composer stays in it", async () => {
  const { team, page, other } = await someone();
  await edit(page, "Other words");
  await page.keyboard.type(" mended");
  await page.reload();
  await page.getByRole("button", { name: "Go on" }).waitFor();
  await composer(page).focus();
  await page.keyboard.type("Half a ");
  await lineOf(team).inChannel(team.general, { op: "message.delete", args: { id: other } });
  await editor(page).waitFor();
  await page.keyboard.type("thought");
  expect([await composer(page).inputValue(), await editor(page).inputValue()]).toEqual([
    "Half a thought",
    "Other words mended",
  ]);
});

test("a waiting message is edited while it is delivered and hundreds that were missed come: all keys are its editor's", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo", "Cy", "Di"]);
  await lineOf(team, 1).post(team.general, ["Said before", "And this"]);
  const desk = await liveDesk(stage, team);
  const { page } = desk;
  await cutOff(desk);
  const missed = Array.from({ length: MISSED_EACH }, (_, at) => `Missed ${at}`);
  await Promise.all([1, 2, 3].map((who) => lineOf(team, who).post(team.general, missed)));
  await say(page, "Said offline");
  await isQueued(page, "Said offline");
  await composer(page).press("ArrowUp");
  await editor(page).waitFor();
  await editor(page).evaluate((field) => {
    field.addEventListener("blur", () => document.documentElement.setAttribute("data-blurred", ""));
  });
  await plugIn(desk);
  const isThere = async (): Promise<boolean> =>
    (await connectionState(page)) === "live" && (await message(page, `Missed ${MISSED_EACH - 1}`).count()) > 0;
  let typed = "Said offline";
  while (!(await isThere())) {
    await page.keyboard.type(" word");
    typed += " word";
  }
  expect(await page.locator("[data-blurred]").count()).toBe(0);
  expect([await editor(page).inputValue(), await composer(page).inputValue()]).toEqual([typed, ""]);
  await page.keyboard.press("Enter");
  await isDelivered(page, typed);
});

test("a channel that is archived and opened again takes no focus from the edit that one is at", async () => {
  const { team, page } = await someone();
  await edit(page, "Other words");
  await page.keyboard.type(" and ");
  await lineOf(team).archive(team.general);
  await eventually(() => composer(page).count()).toBe(0);
  await page.keyboard.type("half a ");
  await lineOf(team).archive(team.general, false);
  await composer(page).waitFor();
  await page.keyboard.type("thought");
  expect([await composer(page).inputValue(), await editor(page).inputValue()]).toEqual([
    "",
    "Other words and half a thought",
  ]);
});

test("Enter held down as it saves an edit, or opens a channel, posts no half-written draft", async () => {
  const { team, page } = await someone();
  await composer(page).fill("Half a thought");
  await edit(page, "Other words");
  await editor(page).fill("Mended words");
  await holdEnter(page);
  await eventually(() => lineOf(team).texts(team.general)).toEqual(["First words", "Mended words"]);
  expect(await composer(page).inputValue()).toBe("Half a thought");
  const plans = await lineOf(team).createChannel("plans");
  await channelLink(page, "plans").click();
  await composer(page, "plans").fill("Half a plan");
  await channelLink(page, "general").click();
  await channelLink(page, "plans").focus();
  await holdEnter(page, "plans");
  await eventually(() => composer(page, "plans").inputValue()).toBe("Half a plan");
  expect(await lineOf(team).texts(plans)).toEqual([]);
});

test("what one corrects in the moment it is sent is corrected: its editor has the focus before its row is measured", async () => {
  const { team, page } = await someone();
  // Its editor's code is here.
  await edit(page, "Other words");
  await page.keyboard.press("Escape");
  await composer(page).fill("Wrong words");
  await page.evaluate(() => {
    const field = document.querySelector<HTMLTextAreaElement>("#composer")!;
    const { port1, port2 } = new MessageChannel();
    // Faster than a frame, in which the list measures.
    port1.onmessage = () => {
      if (document.querySelector("article textarea") !== null) return;
      field.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowUp", bubbles: true, cancelable: true }));
      port2.postMessage("again");
    };
    field.addEventListener("keydown", ({ key }) => key === "Enter" && port2.postMessage("first"), { once: true });
  });
  await page.keyboard.press("Enter");
  await eventually(() => editor(page).count()).toBe(1);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Right words");
  await page.keyboard.press("Enter");
  await eventually(() => lineOf(team).texts(team.general)).toEqual(["First words", "Other words", "Right words"]);
});

test("what one corrects while it is still being stored is corrected, and what one types behind it is the composer's", async () => {
  const { team, page } = await someone();
  await correct(page, "@ana: wrong words");
  expect(await editor(page).inputValue()).toBe("@ana: wrong words");
  await inspect(page, "edit-sending", [...SIZES, ...SMALLEST]);
  await page.keyboard.press("Control+ArrowLeft");
  await page.keyboard.press("Control+Shift+ArrowLeft");
  await hold(page, {});
  await isDelivered(page, "@Ana: wrong words");
  expect(await page.getByText("Edited elsewhere").count()).toBe(0);
  // Where it was, with what was selected.
  await page.keyboard.type("better ");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Half a thought");
  await eventually(() => editor(page).count()).toBe(0);
  const { user } = await team.people[0]!.me();
  await says(team, `<@${user.id}>: better words`);
  expect(await composer(page).inputValue()).toBe("Half a thought");
  expect(await page.getByText("didn't finish").count()).toBe(0);
});

test("what one goes to correct before the code for that has come opens when it has, unless one has gone on", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const desk = await stage.desk({ person: team.people[0]! });
  const { context, page } = desk;
  // Its worker would have it at once.
  await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, "serviceWorker"));
  await context.addInitScript(faultyDisk);
  const code = Promise.withResolvers<void>();
  await context.route("**/assets/EditSending-*.js", async (route) => {
    await code.promise;
    await route.continue();
  });
  await desk.go(channelPath(team));
  await isLive(page);
  await sendAndCorrect(page, "Wrong words");
  // What comes between is the composer's, with all that is typed behind it.
  await page.keyboard.type("On");
  expect(await composer(page).inputValue()).toBe("On");
  await composer(page).fill("");
  await sendAndCorrect(page, "Other words");
  code.resolve();
  await eventually(() => editor(page).inputValue()).toBe("Other words");
  await page.keyboard.type(", corrected");
  await page.keyboard.press("Enter");
  await hold(page, {});
  await eventually(() => lineOf(team).texts(team.general)).toEqual(["Wrong words", "Other words, corrected"]);
});

test("on a first visit whose code comes late, who goes on behind the arrow up isn't moved into the editor", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const { context, page, proxy } = await stage.desk({ person: team.people[0]! });
  // Its worker would have it at once.
  await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, "serviceWorker"));
  const code = Promise.withResolvers<void>();
  await context.route("**/assets/EditMessage-*.js", async (route) => {
    await code.promise;
    await route.continue();
  });
  await page.goto(new URL(channelPath(team), proxy.url).href);
  await isLive(page);
  await say(page, "First words");
  await isDelivered(page, "First words");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.type("Another line");
  const came = page.waitForResponse("**/assets/EditMessage-*.js");
  code.resolve();
  await came;
  await page.keyboard.type(" for you");
  await page.keyboard.press("Enter");
  await isDelivered(page, "Another line for you");
  await page.keyboard.press("ArrowUp");
  await eventually(() => editor(page).inputValue()).toBe("Another line for you");
  expect(await lineOf(team).texts(team.general)).toEqual(["First words", "Another line for you"]);
});

test("what one corrects and saves while it is still being stored goes behind it; left, it is as it was", async () => {
  const { team, page } = await someone();
  for (const [text, key] of [
    ["Saved", "Enter"],
    ["Left", "Escape"],
  ] as const) {
    await correct(page, `${text} while the disk hangs`);
    await page.keyboard.type(", corrected");
    await page.keyboard.press(key);
    await hold(page, {});
    await isDelivered(page, `${text} while the disk hangs`);
    await eventually(() => editor(page).count()).toBe(0);
  }
  await says(team, "Saved while the disk hangs, corrected", "Left while the disk hangs");
  expect(await composer(page).inputValue()).toBe("");
});

test("two are corrected, one after the other, while both are still being stored: each keeps its own words", async () => {
  const { team, page } = await someone();
  await correct(page, "One");
  await page.keyboard.type(", begun");
  await composer(page).click();
  await page.keyboard.type("Two");
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowUp");
  await eventually(() => editor(page).inputValue()).toBe("Two");
  await page.keyboard.type(", corrected");
  await page.keyboard.press("Enter");
  await hold(page, {});
  await says(team, "One", "Two, corrected");
  await message(page, "One").getByRole("button", { name: "Go on" }).click();
  expect(await editor(page).inputValue()).toBe("One, begun");
  await page.keyboard.press("Enter");
  await says(team, "One, begun", "Two, corrected");
});

test("a correction is corrected while both it and what was sent are still being stored: all is one message", async () => {
  const { team, page } = await someone();
  await correct(page, "@ana: helo");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("lo");
  await correctOn(page, "@ana: hello", " all");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Half a thought");
  await hold(page, {});
  await eventually(() => editor(page).count()).toBe(0);
  const { user } = await team.people[0]!.me();
  await says(team, `<@${user.id}>: hello all`);
  await isDelivered(page, "hello all");
  expect(await composer(page).inputValue()).toBe("Half a thought");
  expect(await blemishes(page)).toBe(0);
});

test("a correction is corrected in its row while it is being stored, and saved behind it", async () => {
  for (const isStoredBetween of [true, false]) {
    const { team, page } = await someone();
    await composer(page).press("ArrowUp");
    await editor(page).fill("Other words, @ana");
    await hold(page, { isHolding: true });
    await page.keyboard.press("Enter");
    await correctOn(page, "Other words, @ana", " and");
    const { user } = await team.people[0]!.me();
    if (isStoredBetween) {
      await hold(page, {});
      await eventually(() => lineOf(team).texts(team.general)).toEqual(["First words", `Other words, <@${user.id}>`]);
      expect(await blemishes(page)).toBe(0);
      await page.keyboard.type(" all");
      await page.keyboard.press("Enter");
    } else {
      await page.keyboard.type(" all");
      await page.keyboard.press("Enter");
      await hold(page, {});
    }
    await eventually(() => editor(page).count()).toBe(0);
    await eventually(() => lineOf(team).texts(team.general)).toEqual([
      "First words",
      `Other words, <@${user.id}> and all`,
    ]);
    expect(await composer(page).inputValue()).toBe("");
    expect(await blemishes(page)).toBe(0);
  }
});

test("Escape drops what was typed behind a correction that is being stored, and that alone", async () => {
  const { team, page } = await someone();
  await correct(page, "helo");
  await editor(page).fill("hello");
  await correctOn(page, "hello", " all");
  await page.keyboard.press("Escape");
  await eventually(() => editor(page).count()).toBe(0);
  await hold(page, {});
  await says(team, "hello");
  await composer(page).press("ArrowUp");
  await editor(page).fill("hello, you");
  await hold(page, { isHolding: true });
  await correctOn(page, "hello, you", " all");
  await page.keyboard.press("Escape");
  await eventually(() => editor(page).count()).toBe(0);
  await hold(page, {});
  await says(team, "hello, you");
  await eventually(() => copies(page)).toEqual([]);
  expect(await composer(page).inputValue()).toBe("");
  expect(await blemishes(page)).toBe(0);
});

test("what is corrected once more is led back to by its row as well, which calls nothing unfinished that is being saved", async () => {
  const { team, page } = await someone();
  await edit(page, "Other words");
  await editor(page).fill("Other words, mended");
  await hold(page, { isHolding: true });
  await page.keyboard.press("Enter");
  await correctOn(page, "Other words, mended", " and");
  await page.keyboard.press("Escape");
  await eventually(() => editor(page).count()).toBe(0);
  expect(await blemishes(page)).toBe(0);
  await act(page, "Other words", "Edit");
  await eventually(() => editor(page).inputValue()).toBe("Other words, mended");
  await page.keyboard.type(" twice");
  await page.keyboard.press("Enter");
  await hold(page, {});
  await eventually(() => editor(page).count()).toBe(0);
  await eventually(() => lineOf(team).texts(team.general)).toEqual(["First words", "Other words, mended twice"]);
  await eventually(() => copies(page)).toEqual([]);
  expect(await blemishes(page)).toBe(0);
});

test("whoever edits by keys goes on by the same key while that is being saved: no letter is an order", async () => {
  const { team, page } = await someone();
  await savesByKeys(page, " one");
  await page.keyboard.type("e, pretty ripe");
  expect(await editor(page).inputValue()).toBe("Other words one, pretty ripe");
  await page.keyboard.press("Enter");
  await composer(page).click();
  await toMessage(page);
  await page.keyboard.type("e, too");
  expect(await editor(page).inputValue()).toBe("Other words one, pretty ripe, too");
  await page.keyboard.press("Enter");
  await hold(page, {});
  await eventually(() => editor(page).count()).toBe(0);
  await eventually(() => lineOf(team).texts(team.general)).toEqual([
    "First words",
    "Other words one, pretty ripe, too",
  ]);
  expect(await page.getByText("Pinned").count()).toBe(0);
  expect(await blemishes(page)).toBe(0);
  await eventually(() => copies(page)).toEqual([]);
});

test("what was saved stays until it is stored, though one presses Escape behind it; going on takes two presses for one", async () => {
  const { team, page } = await someone();
  await savesByKeys(page, " one");
  await page.keyboard.press("Escape");
  await eventually(() => editor(page).count()).toBe(0);
  await hold(page, { isHolding: true, isFailing: true });
  const goOn = page.getByRole("button", { name: "Go on" });
  await goOn.waitFor();
  await hold(page, {});
  await goOn.focus();
  for (let again = 0; again < HELD_ON; again += 1) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await page.keyboard.press("Enter");
  expect(await editor(page).inputValue()).toBe("Other words one");
  await page.keyboard.type(" and all");
  await page.keyboard.press("Enter");
  await eventually(() => lineOf(team).texts(team.general)).toEqual(["First words", "Other words one and all"]);
  await eventually(() => copies(page)).toEqual([]);
});

test("what names somebody, corrected while it is being stored and left for another channel, wasn't edited elsewhere", async () => {
  const { team, page } = await someone();
  await lineOf(team).createChannel("plans");
  await channelLink(page, "plans").waitFor();
  await correct(page, "@ana: wrong");
  await page.keyboard.type(" words");
  await channelLink(page, "plans").click();
  await hold(page, {});
  await channelLink(page, "general").click();
  await isDelivered(page, "@Ana: wrong");
  await page.getByRole("button", { name: "Go on" }).click();
  await eventually(() => editor(page).inputValue()).toBe("@ana: wrong words");
  expect(await page.getByText("Edited elsewhere").count()).toBe(0);
  await page.keyboard.press("Enter");
  const { user } = await team.people[0]!.me();
  await says(team, `<@${user.id}>: wrong words`);
});

test("what is taken back in another tab while one corrects it is a message of its own once that is saved", async () => {
  const { team, desk, page } = await someone();
  const other = await desk.tab(channelPath(team));
  await isLive(other);
  await shellIsKept(other);
  await cutOff(desk);
  await page.bringToFront();
  await correct(page, "Wrong words");
  await hold(page, {});
  await isQueued(other, "Wrong words");
  await openOutbox(other);
  await inOutbox(other, "Wrong words").getByRole("button", { name: "Take back" }).click();
  await eventually(() => message(page, "Wrong words").count()).toBe(0);
  await editor(page).fill("Right words");
  await editor(page).press("Enter");
  await plugIn(desk);
  await says(team, "Right words");
  await openOutbox(other);
  await other.getByText("Nothing waits").waitFor();
});

test("what can't be stored comes back as it was corrected the second time; left then, as the first", async () => {
  const { team, page } = await someone();
  for (const [key, text] of [
    ["Enter", "hello all"],
    ["Escape", "hello"],
  ] as const) {
    await correct(page, "helo");
    await editor(page).fill("hello");
    await correctOn(page, "hello", " all");
    await page.keyboard.press(key);
    await hold(page, { isHolding: true, isFailing: true });
    await eventually(() => composer(page).inputValue()).toBe(text);
    expect(await editor(page).count()).toBe(0);
    await hold(page, {});
    await composer(page).press("Enter");
    await isDelivered(page, text);
  }
  await says(team, "hello all", "hello");
  await eventually(() => copies(page)).toEqual([]);
});

test("the arrow up leads back to the editor that one has left for the composer", async () => {
  const { page } = await someone();
  await composer(page).press("ArrowUp");
  await editor(page).waitFor();
  await page.keyboard.type(", begun");
  await composer(page).click();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.type(" and ended");
  expect([await composer(page).inputValue(), await editor(page).inputValue()]).toEqual([
    "",
    "Other words, begun and ended",
  ]);
  await page.keyboard.press("Escape");
  // Another's goes to the last, and from there to the composer.
  await edit(page, "First words");
  await composer(page).click();
  await page.keyboard.press("ArrowUp");
  await eventually(() => editor(page).inputValue()).toBe("Other words");
  await page.keyboard.press("Escape");
  await page.keyboard.type("Half a thought");
  expect(await composer(page).inputValue()).toBe("Half a thought");
});

test("what can't be stored comes back into the composer as it was corrected meanwhile, once, while one types on", async () => {
  const { team, page } = await someone();
  await correct(page, "Wrong");
  await editor(page).fill("Right");
  const typing = page.keyboard.type(" words, to the last of them", { delay: 30 });
  await hold(page, { isHolding: true, isFailing: true });
  await typing;
  await eventually(() => composer(page).inputValue()).toBe("Right words, to the last of them");
  expect(await editor(page).count()).toBe(0);
  await hold(page, {});
  await composer(page).press("Enter");
  await says(team, "Right words, to the last of them");
  await eventually(() => copies(page)).toEqual([]);
});

test("what can't be stored comes back as it was sent where its correction was left, or emptied", async () => {
  const { team, page } = await someone();
  for (const [at, leave] of [() => page.keyboard.press("Escape"), () => editor(page).fill("")].entries()) {
    await correct(page, `Right ${at}`);
    await page.keyboard.type(", or not");
    await leave();
    await hold(page, { isHolding: true, isFailing: true });
    await eventually(() => composer(page).inputValue()).toBe(`Right ${at}`);
    await hold(page, {});
    await composer(page).press("Enter");
    await isDelivered(page, `Right ${at}`);
  }
  await says(team, "Right 0", "Right 1");
  await eventually(() => copies(page)).toEqual([]);
});

test("letters are no orders to a message that is pressed on, though keys led there", async () => {
  const { page } = await someone();
  await composer(page).focus();
  await page.keyboard.press("Shift+Tab");
  await eventually(() => focusedTag(page)).toBe("ARTICLE");
  await keysLeadTo(page, "First words");
  await message(page, "First words").getByText("First words").click();
  await page.keyboard.type("pretty red");
  expect(await composer(page).inputValue()).toBe("pretty red");
  expect(await page.getByText("Pinned").count()).toBe(0);
});

test("what is typed on a message before the code of the timeline's keys has come is the composer's", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  await lineOf(team).post(team.general, ["First words"]);
  const desk = await stage.desk({ person: team.people[0]! });
  const { context, page } = desk;
  // Its worker would have it at once.
  await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, "serviceWorker"));
  await context.route("**/assets/keys-*.js", () => undefined);
  await desk.go(channelPath(team));
  await message(page, "First words").getByText("First words").click();
  await page.keyboard.type("pretty red");
  expect(await composer(page).inputValue()).toBe("pretty red");
});

test("whoever pins or reacts by a pointer goes on at the composer: Enter takes nothing back", async () => {
  const { page } = await someone();
  await act(page, "Other words", "Pin");
  await page.getByText("Pinned").waitFor();
  expect(await focusedLabel(page)).toBe("Message #general");
  await page.keyboard.press("Enter");
  await act(page, "Other words", "React");
  await page.getByRole("button", { name: "👍" }).click();
  await page.getByRole("button", { name: "👍 Ana" }).waitFor();
  expect(await focusedLabel(page)).toBe("Message #general");
  await page.keyboard.press("Enter");
  await composer(page).press("Space");
  expect(await page.getByText("Pinned").count()).toBe(1);
  const reaction = page.getByRole("button", { name: "👍 Ana" });
  expect(await reaction.getAttribute("aria-pressed")).toBe("true");
  await reaction.click();
  expect(await focusedLabel(page)).toBe("Message #general");
});

test.each([["p"], ["Enter"]])("Pin pins, though its key is held: %s", async (key) => {
  const { page } = await someone();
  const pinned = page.getByText("Pinned", { exact: true });
  await composer(page).focus();
  await page.keyboard.press("Shift+Tab");
  await keysLeadTo(page, "First words");
  if (key === "Enter") await message(page, "First words").getByRole("button", { name: "Pin" }).focus();
  await page.keyboard.down(key);
  await pinned.waitFor();
  // Again, as it is held.
  await page.keyboard.down(key);
  await page.keyboard.up(key);
  // Behind whatever that did.
  await composer(page).fill("And on");
  await composer(page).press("Enter");
  await isDelivered(page, "And on");
  expect(await pinned.count()).toBe(1);
});

test("a reaction is joined, though Enter is held on it", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const [id] = await lineOf(team, 1).post(team.general, ["Who comes?"]);
  await lineOf(team, 1).inChannel(team.general, { op: "message.react", args: { id, emoji: "👍", on: true } });
  const { page } = await liveDesk(stage, team, 0, team.general);
  const reaction = message(page, "Who comes?").getByRole("button", { name: "👍" });
  await reaction.focus();
  await page.keyboard.down("Enter");
  await eventually(() => reaction.getAttribute("aria-pressed")).toBe("true");
  // Again, as it is held.
  await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await composer(page).fill("And on");
  await composer(page).press("Enter");
  await isDelivered(page, "And on");
  expect(await reaction.getAttribute("aria-pressed")).toBe("true");
});

test("whoever types behind a press on a link or a button means the composer, and presses nothing again", async () => {
  const { team, page } = await someone();
  await channelLink(page, "general").click();
  await page.keyboard.type("first of all");
  await page.keyboard.press("Enter");
  await isDelivered(page, "first of all");
  await page.getByRole("button", { name: "Create channel" }).click();
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await eventually(() => page.getByRole("dialog").count()).toBe(0);
  await page.keyboard.type("hello there 7");
  await page.keyboard.press("Enter");
  await isDelivered(page, "hello there 7");
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect((await lineOf(team).texts(team.general)).slice(-2)).toEqual(["first of all", "hello there 7"]);
});

test("a channel's name is typed as anywhere, in its middle and by an input method; given up while it is stored, it leads nowhere", async () => {
  const { team, page } = await someone();
  await page.getByRole("button", { name: "Create channel" }).click();
  const dialog = page.getByRole("dialog");
  const name = dialog.getByRole("textbox", { name: "Channel name" });
  await name.fill("team");
  await name.press("Home");
  await page.keyboard.type("My ");
  expect(await name.inputValue()).toBe("my-team");
  const method = await page.context().newCDPSession(page);
  for (const text of ["n", "ni", "ni h", "ni hao"])
    await method.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
  expect(await name.inputValue()).toBe("my-ni haoteam");
  await method.send("Input.insertText", { text: "你好 A" });
  await page.keyboard.type("!b");
  expect(await name.inputValue()).toBe("my-你好-abteam");

  await hold(page, { isHolding: true });
  await name.press("Enter");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await eventually(() => dialog.count()).toBe(0);
  await account(page, "Your profile");
  await dialog.getByRole("textbox", { name: "Title" }).fill("Rigger");
  await hold(page, {});
  await channelLink(page, "my-你好-abteam").waitFor();
  await dialog.getByRole("button", { name: "Save" }).click();
  await eventually(() => dialog.count()).toBe(0);
  expect(new URL(page.url()).pathname).toBe(channelPath(team));
});

test("whoever leaves an edit by a finger isn't led to the composer: a phone would raise its keyboard", async () => {
  const { page } = await someone("phone");
  await edit(page, "Other words");
  await page.getByRole("button", { name: "Cancel" }).tap();
  await eventually(() => editor(page).count()).toBe(0);
  expect(await focusedTag(page)).not.toBe("TEXTAREA");
});

test("a mention that is begun in the next message is offered, though the same place was dismissed in this one", async () => {
  const { page } = await someone();
  const list = page.getByRole("listbox", { name: "People to mention" });
  await composer(page).focus();
  await page.keyboard.type("@a");
  await list.waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
  await isDelivered(page, "@a");
  await page.keyboard.type("@a");
  await list.waitFor();
});

interface Someone {
  readonly team: Team;
  readonly desk: Desk;
  readonly page: Page;
  /** The second of two messages of theirs. */
  readonly other: string;
}

/** Until its editor stands there: nobody types into what they don't see. */
async function edit(page: Page, text: string): Promise<void> {
  await act(page, text, "Edit");
  await eventually(() => editor(page).inputValue()).toBe(text);
}

/** An edit, on a disk that hangs. */
async function savesSlowly(page: Page): Promise<void> {
  await edit(page, "First words");
  await editor(page).fill("Second words");
  await hold(page, { isHolding: true });
  await editor(page).press("Enter");
}

test("from the welcome to a workspace the focus goes to each heading, but to none as the page is loaded", async () => {
  const { page, ...desk } = await stage.desk();
  await desk.go("/welcome");
  await page.getByRole("heading", { name: "Welcome" }).waitFor();
  expect(await focusedTag(page)).toBe("BODY");
  await page.getByRole("link", { name: "Create a workspace" }).press("Enter");
  await eventually(() => focusedHeading(page)).toBe("Create your account");
  await signUp(page, "Ana");
  await eventually(() => focusedHeading(page)).toBe("Create a workspace");
  await page.getByRole("textbox", { name: "Workspace name" }).fill("Harbour");
  await page.getByRole("button", { name: "Create workspace" }).press("Enter");
  await eventually(() => focusedLabel(page)).toBe("Message #general");
});

test.each(["live", "offline"])(
  "%s, the focus goes to each screen's heading or field, and the title names it",
  async (how) => {
    const { desk, page } = await someone();
    await shellIsKept(page);
    if (how === "offline") await cutOff(desk);
    await connection(page).getByRole("link").press("Enter");
    await isAt(page, "Sync status");
    await page.getByRole("link", { name: "0 waiting" }).press("Enter");
    await isAt(page, "Outbox");
    await account(page, "Appearance");
    await isAt(page, "Appearance");
    await page.getByRole("button", { name: "Back" }).press("Enter");
    await isAt(page, "Outbox");
    await eventually(async () => {
      await page.keyboard.press("Control+k");
      return page.title();
    }).toBe("Search · Harbour");
    await eventually(() => focusedLabel(page)).toBe("Search");
    await channelLink(page, "general").press("Enter");
    await eventually(() => page.title()).toBe("#general · Harbour");
    await eventually(() => focusedLabel(page)).toBe("Message #general");
  },
);

test("who goes to what a search has found hears at which message that has led", async () => {
  const { page, ...someones } = await someone();
  await someones.desk.go(`/w/${someones.team.workspace.slug}/search`);
  await page.getByRole("searchbox", { name: "Search" }).fill("First");
  const found = page.getByRole("list", { name: "Search results" }).getByRole("link");
  await found.press("Enter");
  await eventually(() => focusedLabel(page)).toBe("Message #general");
  await eventually(() => page.locator("[aria-live=polite]").allInnerTexts()).toContain(
    "You are at the message of Ana: First words",
  );
});

/** As long as it takes until the focus is at the composer, and longer. */
async function holdEnter(page: Page, channel = "general"): Promise<void> {
  await eventually(async () => {
    await page.keyboard.down("Enter");
    return focusedLabel(page);
  }).toBe(`Message #${channel}`);
  for (let again = 0; again < HELD_ON; again += 1) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
}

/** By keys, to the last one. */
async function toMessage(page: Page): Promise<void> {
  await eventually(async () => {
    await page.keyboard.press("Shift+Tab");
    return focusedTag(page);
  }).toBe("ARTICLE");
}

/** What is added to the last one, on a disk that hangs from then on. */
async function savesByKeys(page: Page, more: string): Promise<void> {
  await toMessage(page);
  await page.keyboard.press("e");
  await editor(page).waitFor();
  await page.keyboard.type(more);
  await hold(page, { isHolding: true });
  await page.keyboard.press("Enter");
}

/** Sends it on a disk that hangs, and goes to correct it. */
async function correct(page: Page, text: string): Promise<void> {
  await sendAndCorrect(page, text);
  await editor(page).waitFor();
}

async function sendAndCorrect(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await hold(page, { isHolding: true });
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowUp");
}

/** Saves what is in the editor, and goes on with it while that is being stored. */
async function correctOn(page: Page, saved: string, more: string): Promise<void> {
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.type(more);
  expect([await composer(page).inputValue(), await editor(page).inputValue()]).toEqual(["", saved + more]);
}

/** What tells of an edit that isn't through, or of another's, where there is none. */
function blemishes(page: Page): Promise<number> {
  return page.getByText(/didn't finish|Edited elsewhere|was replaced/).count();
}

/** What stands in the room in the end, behind what did at first. */
async function says(team: Team, ...texts: readonly string[]): Promise<void> {
  await eventually(() => lineOf(team).texts(team.general)).toEqual(["First words", "Other words", ...texts]);
}

/** Where what isn't on disk is kept. */
function copies(page: Page): Promise<string[]> {
  return page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("causeway.words.")));
}

function focusedTag(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.activeElement?.tagName);
}

function focusedLabel(page: Page): Promise<string | null> {
  return page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? null);
}

/** Its text; where the focus is at something else, what that is. */
function focusedHeading(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const { activeElement } = document;
    return activeElement instanceof HTMLHeadingElement ? activeElement.innerText : activeElement?.tagName;
  });
}

async function isAt(page: Page, screen: string): Promise<void> {
  await eventually(() => focusedHeading(page)).toBe(screen);
  await eventually(() => page.title()).toBe(`${screen} · Harbour`);
}

/**
 * From a message, by arrows. While their code comes the first press alone is kept, and acts as soon as that is here: together
 * with the next it may lead too far.
 */
async function keysLeadTo(page: Page, text: string): Promise<void> {
  await eventually(async () => {
    const side = await message(page, text).evaluate((article) => {
      if (article === document.activeElement) return "there";
      const { DOCUMENT_POSITION_FOLLOWING } = Node;
      return article.compareDocumentPosition(document.activeElement!) & DOCUMENT_POSITION_FOLLOWING ? "below" : "above";
    });
    if (side !== "there") await page.keyboard.press(side === "below" ? "ArrowUp" : "ArrowDown");
    return side;
  }).toBe("there");
}

async function someone(size: "desktop" | "phone" = "desktop"): Promise<Someone> {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const [, other] = await lineOf(team).post(team.general, ["First words", "Other words"]);
  const desk = await stage.desk({ person: team.people[0]!, size });
  await desk.context.addInitScript(faultyDisk);
  await desk.go(channelPath(team));
  await isLive(desk.page);
  return { team, desk, page: desk.page, other: other! };
}
