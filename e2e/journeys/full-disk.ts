/**
 * A disk that is full: the browser gives no more space. The quota is Chromium's own, made small, and used up by a database
 * beside the app's.
 */
import type { Desk } from "./stage.ts";

const QUOTA_BYTES = 30_000_000;

/** To be done before the app is opened, for what Chromium once found free it believes for half a minute. */
export async function limit(desk: Desk): Promise<void> {
  const session = await desk.context.newCDPSession(desk.page);
  await session.send("Storage.overrideQuotaForOrigin", { origin: desk.proxy.url, quotaSize: QUOTA_BYTES });
}

export interface Ballast {
  /** Uses up what is left of the quota, to the last few hundred bytes. */
  readonly fill: () => Promise<void>;
  readonly empty: () => Promise<void>;
}

export async function fillUp(desk: Desk): Promise<Ballast> {
  const beside = await desk.context.newPage();
  await beside.goto(new URL("/manifest.webmanifest", desk.proxy.url).href);
  const ballast: Ballast = { fill: () => beside.evaluate(putBallast), empty: () => beside.evaluate(dropBallast) };
  await ballast.fill();
  return ballast;
}

async function putBallast(): Promise<void> {
  const db = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open("ballast", 1);
    request.addEventListener("upgradeneeded", () => request.result.createObjectStore("bytes", { autoIncrement: true }));
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("can't be opened")));
  });
  const isPut = (size: number): Promise<boolean> => {
    const bytes = new Uint8Array(size);
    for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, Math.min(size, at + 65_536)));
    const tx = db.transaction("bytes", "readwrite", { durability: "strict" });
    tx.objectStore("bytes").add(bytes);
    return new Promise((resolve) => {
      tx.addEventListener("complete", () => resolve(true));
      tx.addEventListener("abort", () => resolve(false));
    });
  };
  let size = 1_000_000;
  while (size > 100) if (!(await isPut(size))) size = Math.floor(size / 2);
  db.close();
}

async function dropBallast(): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const request = indexedDB.deleteDatabase("ballast");
    request.addEventListener("success", () => resolve());
    request.addEventListener("error", () => reject(request.error ?? new Error("can't be deleted")));
  });
}
