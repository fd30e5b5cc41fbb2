// Somebody who uses the edge from a browser: keeps cookies, sends the page's origin, comes from one address.
import { ORIGIN, type Deployment } from "./deployment.ts";

type Reachable = Pick<Deployment, "fetch">;

export const PASSWORD = "tide over the harbour wall";

let people = 0;
/** Files may share a database. */
const RUN = crypto.randomUUID().slice(0, 8);

export interface Answer<Body = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export class Person {
  readonly name: string;
  readonly email: string;
  readonly address: string;
  private readonly cookies = new Map<string, string>();
  private readonly deployment: Reachable;

  /** An address of its own each, so that nobody uses up another's tries. */
  constructor(deployment: Reachable, name = "Ana") {
    people += 1;
    this.deployment = deployment;
    this.name = name;
    this.email = `${name.toLowerCase()}${people}.${RUN}@mail.example`;
    this.address = `198.51.100.${people}`;
  }

  static async signedUp(deployment: Reachable, name = "Ana"): Promise<Person> {
    const person = new Person(deployment, name);
    const { status } = await person.signUp();
    if (status !== 200) throw new Error(`Sign-up answered ${status}`);
    return person;
  }

  signUp(extra: Record<string, unknown> = {}): Promise<Answer> {
    return this.post("/api/auth/sign-up/email", { name: this.name, email: this.email, password: PASSWORD, ...extra });
  }

  signIn(extra: Record<string, unknown> = {}): Promise<Answer> {
    return this.post("/api/auth/sign-in/email", { email: this.email, password: PASSWORD, ...extra });
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send(path, { headers });
  }

  post(path: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send(path, {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
      headers: { "content-type": "application/json", origin: ORIGIN, ...headers },
    });
  }

  forgetCookies(): void {
    this.cookies.clear();
  }

  async createWorkspace(name: string): Promise<{ id: string; slug: string; general: string }> {
    const { status, body } = await this.post("/api/workspaces", { name });
    if (status !== 201) throw new Error(`Creating a workspace answered ${status}: ${JSON.stringify(body)}`);
    const { workspace, general } = body as unknown as { workspace: { id: string; slug: string }; general: string };
    return { ...workspace, general };
  }

  /** The same person, with the same cookies, at another deployment. */
  at(deployment: Reachable): { raw(path: string, init?: RequestInit): Promise<Response> } {
    const headers = { "cf-connecting-ip": this.address, cookie: this.cookieHeader, origin: ORIGIN };
    return { raw: (path, init = {}) => deployment.fetch(path, { ...init, headers }) };
  }

  private get cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  private async send(path: string, init: RequestInit & { headers: Record<string, string> }): Promise<Answer> {
    const cookie = this.cookieHeader;
    const headers = { "cf-connecting-ip": this.address, ...(cookie === "" ? {} : { cookie }), ...init.headers };
    const response = await this.deployment.fetch(path, { ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";", 1);
      const at = pair.indexOf("=");
      if (/max-age=0/i.test(line)) this.cookies.delete(pair.slice(0, at));
      else this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === "" ? {} : JSON.parse(text) };
  }
}
