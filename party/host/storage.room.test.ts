// A room's storage on a Durable Object's: as many rows in one write as an op has.
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { makeWorkspace, objectOf } from "../test/rig.ts";
import { roomStorage } from "./storage.ts";

/** More than the host takes in one call. */
const MANY = 300;

it("takes more rows than one call does, all or none", async () => {
  const place = await makeWorkspace();
  await runInDurableObject(objectOf(place.general), async (_room, state) => {
    const storage = roomStorage(state.storage);
    const keys = Array.from({ length: MANY }, (_, index) => `try:${String(index).padStart(3, "0")}`);
    await storage.commit(Object.fromEntries(keys.map((key) => [key, key])));
    expect([...(await storage.get(keys)).values()]).toEqual(keys);
    // The last of them can't be stored.
    const news = Object.fromEntries(keys.map((key, index) => [key, index < MANY - 1 ? "news" : () => "news"]));
    await expect(storage.commit(news, keys.slice(0, MANY / 2))).rejects.toThrow("could not be cloned");
    expect([...(await storage.list({ prefix: "try:" })).values()]).toEqual(keys);
    await storage.commit({ "try:new": 1 }, keys);
    expect([...(await storage.list({ prefix: "try:" })).keys()]).toEqual(["try:new"]);
    await storage.commit({}, ["try:new"]);
  });
});
