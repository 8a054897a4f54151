import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { defined } from "#server/base/defined.ts";
import { newId } from "#server/base/ids.ts";
import { endTurn, withinTurn } from "#server/base/turn-of-call.ts";
import { startApi } from "#server/testing/api.ts";
import { noteCaller } from "./last-callers.ts";
import type { StartTurn } from "./start-turns.ts";

const api = await startApi();
const FLOOD = 200;
const CALLS = 15;

let instances = 0;
/** Returns the function of a new instance of the module, which does not know the calls of other tests. */
async function loadStartTurn() {
  const { href } = new URL(`start-turns.ts?instance=${++instances}`, import.meta.url);
  const fresh: typeof import("./start-turns.ts") = await import(/* @vite-ignore */ href);
  return fresh.startTurn;
}

/** Begins calls of an account in a busy process, beside calls of its neighbour, until calls wait for their turn. */
async function beginUntilWaiting(busy: string, neighbour: string) {
  const startTurn = await loadStartTurn();
  const begun: StartTurn[] = [];
  const waiting: Promise<StartTurn>[] = [];
  for (const until = performance.now() + 10_000; waiting.length === 0 && performance.now() < until; ) {
    for (const accountId of [neighbour, busy]) noteCaller(accountId, performance.now());
    for (const turn of Array.from({ length: 4 }, () => startTurn(busy)))
      if (turn instanceof Promise) waiting.push(turn);
      else begun.push(turn);
    // Keeps the process busy.
    for (const until = performance.now() + 20; performance.now() < until; );
    await nextTurn();
  }
  expect(waiting.length).toBeGreaterThan(0);
  return { startTurn, begun, waiting };
}

test("lets an account begin at once that begins few calls, however long they take", async () => {
  const [busy, neighbour] = [newId("account"), newId("account")];
  const { startTurn, begun, waiting } = await beginUntilWaiting(busy, neighbour);
  const own = Array.from({ length: 8 }, () => startTurn(neighbour));
  expect(own.filter((turn) => turn instanceof Promise)).toEqual([]);
  for (const turn of begun) turn.end();
  for (const turn of [...own, ...waiting]) (await turn).end();
});

test("refuses the calls of an account beyond 2,000 waiting ones, and those whose turn does not come in five seconds", async () => {
  const [busy, neighbour] = [newId("account"), newId("account")];
  const { startTurn, begun, waiting } = await beginUntilWaiting(busy, neighbour);
  while (waiting.length < 2000) waiting.push(Promise.resolve(startTurn(busy)));
  expect(() => startTurn(busy)).toThrow("The account has 2000 calls that wait for their turn");
  const ended = Promise.allSettled(waiting);
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + 5001);
  onTestFinished(() => clock.mockRestore());
  for (const turn of begun) turn.end();
  const refused = {
    code: "limit_exhausted",
    message: "The call's turn did not come within 5 seconds. Send fewer at a time.",
    details: { check: "limit", retryAfterSeconds: 1 },
  };
  expect(await ended).toEqual(
    waiting.map(() => ({ status: "rejected", reason: expect.objectContaining(refused) })),
  );
});

test("begins an account's next call when one before it waits for somebody else", async () => {
  const [busy, neighbour] = [newId("account"), newId("account")];
  const { begun, waiting } = await beginUntilWaiting(busy, neighbour);
  // By this clock, no call has worked for so long that it would count as waiting anyway.
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
  onTestFinished(() => clock.mockRestore());
  for (const turn of begun)
    await withinTurn(turn, async () => {
      await nextTurn();
      endTurn();
    });
  expect(await Promise.race([waiting[0], nextTurn("waits")])).not.toBe("waits");
  for (const turn of waiting) (await turn).end();
});

test("answers a call beside a flood of another account before most of those that came first", async () => {
  const [{ key: busy }, { key: neighbour }] = [await api.createRootKey(), await api.createRootKey()];
  const list = (key: string) => api.send("GET", "/v1/projects", { key });
  let ended = 0;
  let stopped = false;
  const flood = Array.from({ length: FLOOD }, async () => {
    while (!stopped) {
      const { status } = await list(busy);
      // A machine that is too slow for all of them refuses some.
      expect([200, 429, 503]).toContain(status);
      ended += Number(status === 200);
    }
  });
  await expect.poll(() => ended).toBeGreaterThan(2 * FLOOD);
  const before: number[] = [];
  for (let nth = 0; nth < CALLS; nth++) {
    const already = ended;
    expect((await list(neighbour)).status).toBe(200);
    before.push(ended - already);
  }
  stopped = true;
  await Promise.all(flood);
  const median = defined(before.toSorted((a, b) => a - b)[Math.floor(CALLS / 2)]);
  expect(median).toBeLessThan(FLOOD / 4);
});
