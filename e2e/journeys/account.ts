/** Who is signed in at a desk, and how that changes. */
import type { Page } from "playwright-core";
import { PASSWORD, type Person } from "../rig/people.ts";
import { sidebar } from "./channel.ts";
import type { Desk } from "./stage.ts";

/** From the menu of one's account. */
export async function account(page: Page, action: string): Promise<void> {
  await sidebar(page)
    .getByRole("button", { name: /^Account of/ })
    .click();
  await page.getByRole("menuitem", { name: action }).click();
}

/** What a dialog or a page offers to save. */
export async function saveACopy(page: Page): Promise<string> {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save a copy" }).click();
  const chunks: Uint8Array[] = [];
  for await (const chunk of await (await download).createReadStream()) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).toString();
}

export async function signIn(page: Page, person: Pick<Person, "email">): Promise<void> {
  await page.getByRole("textbox", { name: "Email" }).fill(person.email);
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** A new account, in a form that asks for one. */
export async function signUp(page: Page, name: string, act = "Create account"): Promise<void> {
  await page.getByRole("textbox", { name: "Name", exact: true }).fill(name);
  const address = `${name.toLowerCase()}-${crypto.randomUUID().slice(0, 8)}@people.example`;
  await page.getByRole("textbox", { name: "Email" }).fill(address);
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: act }).click();
}

/** Ends the session behind the browser's back. */
export async function revoke(desk: Desk, person: Person): Promise<void> {
  const { user } = await person.me();
  await person.post("/api/auth/revoke", { user: user.id });
  await desk.context.clearCookies();
}
