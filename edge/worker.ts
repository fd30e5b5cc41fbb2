// The Worker: rooms by their addresses, everything else by the app. What rooms answer is passed on untouched, since a
// WebSocket's response can't be rebuilt.
import { app } from "./app.ts";
import type { Env } from "./env.ts";
import { routeParties } from "./rooms.ts";

export { ChannelRoom, WorkspaceRoom } from "./rooms.ts";

export default {
  async fetch(request, env, context) {
    const isForRoom = new URL(request.url).pathname.startsWith("/parties/");
    return isForRoom ? routeParties(request, env) : app.fetch(request, env, context);
  },
} satisfies ExportedHandler<Env>;
