import { lastCallBeside, noteCaller } from "#server/operation/last-callers.ts";

/**
 * Long results of accounts' databases are parsed, sealed and written on the event loop that answers everybody's calls.
 * Beside calls of other accounts, these slices get this part of its time.
 */
const SHARE = 1 / 4;
/** The longest pause between two slices, however much was counted. */
const LONGEST_PAUSE_MS = 50;
/** For how long after their last call other accounts count as present. */
const PRESENT_MS = 1000;

/** The time at which the slices so far have had no more than their share. */
let paidAt = 0;
let lastTurnAt = 0;
/** True from a turn until its slice is counted. */
let isRunning = false;
/** Slices that wait, by their account; the one that had no turn for the longest time is first. */
const waiting = new Map<string, (() => void)[]>();
let timer: NodeJS.Timeout | undefined;

const pauseMs = () => Math.min(paidAt, lastTurnAt + LONGEST_PAUSE_MS) - performance.now();

/** Runs a slice of work on a long result, and counts its time. */
export function inSlice<Result>(work: () => Result): Result {
  const startedAt = performance.now();
  const result = work();
  countSlice(performance.now() - startedAt);
  return result;
}

/** Counts the milliseconds of a slice that ran elsewhere. */
export function countSlice(ms: number): void {
  const now = performance.now();
  // A slice of many milliseconds is paid for in full.
  paidAt = Math.min(Math.max(paidAt, now) + ms / SHARE, now + Math.max(LONGEST_PAUSE_MS, ms / SHARE));
  if (isRunning) lastTurnAt = now + ms;
  isRunning = false;
}

/**
 * Waits until the account's next slice may run: accounts take turns. While no other account makes calls, nothing waits.
 */
export async function resultTurn(accountId: string): Promise<void> {
  const now = performance.now();
  noteCaller(accountId, now);
  if (waiting.size === 0 && (now - lastCallBeside(accountId) > PRESENT_MS || pauseMs() <= 0)) {
    begin(now);
    return;
  }
  await new Promise<void>((resolve) => {
    const own = waiting.get(accountId);
    if (own) own.push(resolve);
    else waiting.set(accountId, [resolve]);
    if (!timer) timer = setTimeout(giveTurn, Math.max(1, pauseMs()));
  });
}

function begin(now: number): void {
  lastTurnAt = now;
  isRunning = true;
}

function giveTurn(): void {
  timer = undefined;
  const [next] = waiting;
  if (next && pauseMs() <= 0) {
    const [accountId, slices] = next;
    waiting.delete(accountId);
    begin(performance.now());
    slices.shift()?.();
    if (slices.length > 0) waiting.set(accountId, slices);
  }
  if (waiting.size > 0) timer = setTimeout(giveTurn, Math.max(1, pauseMs()));
}
