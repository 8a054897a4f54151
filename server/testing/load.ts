import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { defined } from "#server/base/defined.ts";
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

/** Repeats each of these works with a pause in between, until `stop`; it fails if a work has failed. */
export function startLoops(works: readonly { work(): Promise<unknown>; pauseMs: number }[]) {
  let stopped = false;
  const loops = works.map(async ({ work, pauseMs }) => {
    for (; !stopped; await sleep(pauseMs)) await work();
  });
  return {
    async stop() {
      stopped = true;
      await Promise.all(loops);
    },
  };
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
  async function call(kind: string) {
    const idempotencyKey = unique(kind);
    const [began, clock] = [performance.now(), startClock()];
    const answer = defined(await calls[kind]?.(idempotencyKey));
    sent.push({ kind, idempotencyKey, began, took: clock(), answer });
  }
  const { stop } = startLoops(kinds.map((kind) => ({ work: () => call(kind), pauseMs: pauseMs(kind) })));
  return {
    sent,
    /** Waits until calls of all these kinds that began after that time have completed. */
    untilAnswered: (since = 0, awaited = kinds) =>
      expect
        .poll(() => awaited.filter((each) => !sent.some(({ kind, began }) => kind === each && began > since)))
        .toEqual([]),
    stop,
  };
}
