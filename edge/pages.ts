// The built pages: files as they are, and the shell for every address that is a screen of the app.
// A missing file is a 404 that nobody keeps, so an old page asking for a pruned chunk never stores HTML as script.
import { failure } from "#protocol/errors.ts";
import type { Env } from "./env.ts";
import { pageHeaders } from "./http/headers.ts";
import { problem } from "./http/reply.ts";

const HASHED = /^\/assets\//;
const FILE = /\.[^/]+$/;

const FOR_EVER = "public, max-age=31536000, immutable";
/** Kept, but asked for again before each use; unchanged files cost a 304. */
const ASK_FIRST = "no-cache";

export async function servePage(request: Request, env: Env): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD") return notFound(request);
  const { pathname } = new URL(request.url);
  const file = await env.ASSETS.fetch(request);
  if (file.ok || file.status === 304 || isRedirect(file)) {
    // Where the platform answers a missing file with the shell, the shell is not taken for the file.
    const isShellForFile = FILE.test(pathname) && !pathname.endsWith(".html") && isHtml(file);
    if (!isShellForFile) return dress(file, request, env, HASHED.test(pathname) ? FOR_EVER : ASK_FIRST);
  }
  const isScreen = !FILE.test(pathname) && !HASHED.test(pathname) && accepts(request, "text/html");
  if (!isScreen) return notFound(request);
  const shell = await env.ASSETS.fetch(
    new Request(new URL("/index.html", request.url), { method: request.method, headers: request.headers }),
  );
  return shell.ok || shell.status === 304 ? dress(shell, request, env, ASK_FIRST) : notFound(request);
}

function dress(file: Response, request: Request, env: Env, cacheControl: string): Response {
  const headers = new Headers(file.headers);
  for (const [name, value] of pageHeaders(request, env)) headers.set(name, value);
  headers.set("cache-control", cacheControl);
  return new Response(file.body, { status: file.status, headers });
}

function notFound(request: Request): Response {
  const answer = problem(failure("not_found"));
  return request.method === "HEAD" ? new Response(null, answer) : answer;
}

function isRedirect(response: Response): boolean {
  return response.status >= 300 && response.status < 400 && response.headers.has("location");
}

function isHtml(response: Response): boolean {
  return (response.headers.get("content-type") ?? "").startsWith("text/html");
}

function accepts(request: Request, type: string): boolean {
  return (request.headers.get("accept") ?? "").includes(type);
}
