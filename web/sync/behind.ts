// Commands whose code comes behind the first screen.
import type { Failure } from "#protocol/errors.ts";
import type { Result } from "#protocol/result.ts";
import { failing } from "./failing.ts";

type Command = (...args: unknown[]) => Promise<Result<unknown, Failure>>;

/**
 * Each of them, while their code may still be on its way: where it can't be had nothing is done, and the person is told.
 * @param names all of them: the page has no room to say each twice
 */
export function behind<Code extends object, Name extends keyof Code>(
  names: readonly Name[],
  load: () => Promise<Code>,
): Pick<Code, Name> {
  const named = (name: Name): Command => {
    return async (...args) => {
      const code = await load().catch(() => null);
      return code === null ? failing("offline") : (code[name] as Command)(...args);
    };
  };
  return Object.fromEntries(names.map((name) => [name, named(name)])) as Pick<Code, Name>;
}
