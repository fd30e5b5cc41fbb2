/** People and workspaces made by the edge's own calls (protocol, section 11), so that a test starts where it begins. */
import type { BrowserContext } from "playwright-core";
import type { InvitationCreated, Me, WorkspaceCreated } from "#protocol/http.ts";

export const PASSWORD = "correct horse battery";

/** A day is more than any test takes. */
const SESSION_S = 24 * 3_600;

/** Somebody with an account and a session, as a program sees them. */
export class Person {
  readonly name: string;
  readonly email: string;
  /** The deployment's address, as this person reaches it. */
  readonly url: string;
  private readonly cookies = new Map<string, string>();

  private constructor(url: string, name: string) {
    this.url = url;
    this.name = name;
    this.email = `${name.toLowerCase().replace(/[^a-z0-9]+/g, "-")}-${crypto.randomUUID().slice(0, 8)}@people.example`;
  }

  /** `fields`: what a closed deployment asks for besides: `invitation` or `setupCode`. */
  static async signUp(url: string, name: string, fields: Readonly<Record<string, string>> = {}): Promise<Person> {
    const person = new Person(url, name);
    await person.post("/api/auth/sign-up/email", { name, email: person.email, password: PASSWORD, ...fields });
    return person;
  }

  async me(): Promise<Me> {
    return (await this.call("GET", "/api/me")) as Me;
  }

  async createWorkspace(name: string): Promise<WorkspaceCreated> {
    return (await this.post("/api/workspaces", { name })) as WorkspaceCreated;
  }

  async invite(workspace: string, options: Readonly<Record<string, unknown>> = {}): Promise<InvitationCreated> {
    return (await this.post(`/api/workspaces/${workspace}/invitations`, options)) as InvitationCreated;
  }

  async join(code: string): Promise<void> {
    await this.post(`/api/invitations/${code}/accept`, {});
  }

  /** Carries this session into a browser, where it outlives a restart as a real one does. */
  async signInto(context: BrowserContext, url = this.url): Promise<void> {
    const expires = Date.now() / 1_000 + SESSION_S;
    await context.addCookies(
      [...this.cookies].map(([name, value]) => ({
        name,
        value,
        url,
        expires,
        httpOnly: true,
        sameSite: "Lax" as const,
      })),
    );
  }

  /** What a browser sends by itself with a call of the app's. */
  headers(): Readonly<Record<string, string>> {
    return {
      origin: new URL(this.url).origin,
      cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    };
  }

  post(path: string, body: unknown): Promise<unknown> {
    return this.call("POST", path, body);
  }

  /** Throws on any answer but a success, with what the server said. */
  async call(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(new URL(path, this.url), {
      method,
      headers: { ...this.headers(), ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const match = /^([^=]+)=([^;]*)/.exec(line);
      if (match?.[1] && match[2] !== undefined) this.cookies.set(match[1], match[2]);
    }
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }
}

/** A workspace with its owner first and the others joined by invitation. */
export interface Team {
  readonly workspace: WorkspaceCreated["workspace"];
  readonly general: string;
  readonly people: readonly Person[];
}

export async function makeTeam(
  url: string,
  names: readonly [string, ...string[]],
  workspace = "Harbour",
): Promise<Team> {
  const [owner, ...others] = await Promise.all(names.map((name) => Person.signUp(url, name)));
  if (!owner) throw new Error("A team has at least one person");
  const made = await owner.createWorkspace(workspace);
  const { code } = await owner.invite(made.workspace.id);
  for (const person of others) await person.join(code);
  return { ...made, people: [owner, ...others] };
}
