// The route table and the error boundary of everything that isn't a room.
import { Hono } from "hono";
import { routePath } from "hono/route";
import { failure } from "#protocol/errors.ts";
import { isDatabaseFault } from "./db/fault.ts";
import type { Env } from "./env.ts";
import { commonHeaders } from "./http/headers.ts";
import { logError } from "./http/log.ts";
import { crossOrigin } from "./http/origin.ts";
import { problem } from "./http/reply.ts";
import { servePage } from "./pages.ts";
import { accounts } from "./routes/accounts.ts";
import { deployment } from "./routes/deployment.ts";
import { invitations } from "./routes/invitations.ts";
import { revocation } from "./routes/revocation.ts";
import { roomAuth } from "./routes/room-auth.ts";
import { workspaces } from "./routes/workspaces.ts";

export const app = new Hono<{ Bindings: Env }>();

app.use(async (c, next) => {
  await next();
  for (const [name, value] of commonHeaders(c.req.raw)) {
    if (!c.res.headers.has(name)) c.res.headers.set(name, value);
  }
});

app.use("/api/*", crossOrigin);
app.route("/api/auth", accounts);
app.route("/api/auth", revocation);
app.route("/api", roomAuth);
app.route("/api", workspaces);
app.route("/api", invitations);
app.all("/api/*", () => problem(failure("not_found")));
app.route("/", deployment);
app.all("*", (c) => servePage(c.req.raw, c.env));

/** A bug, or a part of the platform that failed: one line in the log, one reference to find it by, nothing else. */
app.onError((error, c) => {
  const reference = crypto.randomUUID().slice(0, 8);
  logError(reference, { method: c.req.method, route: routePath(c) }, error);
  const fault = isDatabaseFault(error) ? failure("upstream_unavailable") : failure("internal", { reference });
  return problem(fault, { reference });
});
