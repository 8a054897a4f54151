import { expect, test } from "vitest";
import { createPolling } from "./polling.ts";

/** Only a wake-up or `stop` ends such a pause within a test. */
const PAUSE_MS = 3_600_000;

/** Starts a polling whose turns wait until the test ends them; `began(n)` resolves when the n-th has begun. */
function startTurns() {
  const turns = Array.from({ length: 10 }, () => ({
    begun: Promise.withResolvers<void>(),
    ended: Promise.withResolvers<boolean>(),
  }));
  let count = 0;
  const polling = createPolling({
    turn() {
      const turn = turns[count++];
      turn?.begun.resolve();
      return turn?.ended.promise ?? Promise.resolve(false);
    },
    pauseMs: PAUSE_MS,
    failing: "A turn of a test failed.",
  });
  polling.start();
  return {
    polling,
    count: () => count,
    began: (nth: number) => turns[nth - 1]?.begun.promise,
    end: (nth: number, more = false) => turns[nth - 1]?.ended.resolve(more),
    fail: (nth: number) => turns[nth - 1]?.ended.reject(new Error("The turn failed.")),
  };
}

test("begins the next turn at once if the last one returned true", async () => {
  const { polling, began, end } = startTurns();
  end(1, true);
  end(2, true);
  await began(3);
  end(3);
  await polling.stop();
});

test("begins a turn for a wake-up during a turn, which may have looked already", async () => {
  const { polling, began, end } = startTurns();
  await began(1);
  polling.wake();
  end(1);
  await began(2);
  end(2);
  await polling.stop();
});

test("goes on after a failed turn", async () => {
  const { polling, began, end, fail } = startTurns();
  polling.wake();
  fail(1);
  await began(2);
  end(2, true);
  await began(3);
  end(3);
  await polling.stop();
});

test("waits for the running turn when it is stopped, and begins no other", async () => {
  const { polling, count, began, end } = startTurns();
  await began(1);
  let isStopped = false;
  const stopped = polling.stop().then(() => {
    isStopped = true;
  });
  await new Promise(setImmediate);
  expect(isStopped).toBe(false);
  end(1, true);
  await stopped;
  expect(count()).toBe(1);
});

test("stops during a pause", async () => {
  const { polling, count, end } = startTurns();
  end(1);
  await new Promise(setImmediate);
  await polling.stop();
  expect(count()).toBe(1);
});
