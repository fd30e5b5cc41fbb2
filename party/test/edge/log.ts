// What the edge writes to the platform's log while something happens.
import { vi } from "vitest";

export async function logged<Answer>(call: () => Promise<Answer>): Promise<{ answer: Answer; log: string[] }> {
  const log: string[] = [];
  const spy = vi.spyOn(console, "error").mockImplementation((line: unknown) => void log.push(String(line)));
  try {
    return { answer: await call(), log };
  } finally {
    spy.mockRestore();
  }
}
