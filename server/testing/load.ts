import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { defined } from "#server/defined.ts";
import { unique } from "./api.ts";
import { startClock } from "./cpu.ts";

/** A call that was made under load. */
export interface LoadCall<Answer> {
  kind: string;
  idempotencyKey: string;
  /** When it was made, and how long it took, in milliseconds; but for the time in which others had the cores. */
  began: number;
  took: number;
  answer: Answer;
}

/**
 * Makes calls of each kind again and again, one after the other, until `stop`: of each of `kinds`, which may name one
 * several times.
 */
export function startLoad<Answer>(
  calls: Record<string, (idempotencyKey: string) => Promise<Answer>>,
  {
    kinds = Object.keys(calls),
    pauseMs = () => 20,
  }: { kinds?: string[]; pauseMs?(kind: string): number } = {},
) {
  const sent: LoadCall<Answer>[] = [];
  let going = true;
  async function call(kind: string) {
    const idempotencyKey = unique(kind);
    const [began, clock] = [performance.now(), startClock()];
    const answer = defined(await calls[kind]?.(idempotencyKey));
    sent.push({ kind, idempotencyKey, began, took: clock(), answer });
  }
  const callers = kinds.map(async (kind) => {
    for (; going; await sleep(pauseMs(kind))) await call(kind);
  });
  return {
    sent,
    /** Waits until calls of each of these kinds that began after that time have been answered. */
    untilAnswered: (since = 0, awaited = kinds) =>
      expect
        .poll(() => awaited.filter((each) => !sent.some(({ kind, began }) => kind === each && began > since)))
        .toEqual([]),
    async stop() {
      going = false;
      await Promise.all(callers);
    },
  };
}
