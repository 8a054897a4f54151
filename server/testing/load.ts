import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { defined } from "#server/defined.ts";
import { unique } from "./api.ts";
import { startClock } from "./cpu.ts";

/** A call made under load. */
export interface LoadCall<Answer> {
  kind: string;
  idempotencyKey: string;
  /** Its start and duration in milliseconds, without the time in which others had the cores. */
  began: number;
  took: number;
  answer: Answer;
}

/** Makes calls repeatedly, one loop for each of `kinds`, until `stop`; a kind may be listed several times. */
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
    /** Waits until calls of all these kinds that began after that time have completed. */
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
