// What the page does once its first screen is there: the service worker, and what only some browsers need.
export { startWorker } from "./updates.ts";

if (!CSS.supports("field-sizing", "content")) {
  import("../ui/grow.ts").then(({ growFields }) => growFields()).catch(() => undefined);
}
