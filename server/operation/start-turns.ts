import { performance } from "node:perf_hooks";
import { ApiError } from "./errors.ts";
import { lastCallBeside } from "./last-callers.ts";

/** How many calls of one account may work at a time beside other accounts' calls, if the process is busy all the time. */
const FEWEST = 3;
/** From here on they are unlimited. */
const MAX_STARTS = 64;
/** After this time, a call counts as one that waits for somebody else: a service, a chain, a long query. */
const WORKING_MS = 250;
/** The event loop's utilisation from which calls wait for each other about as long as they take. */
const BUSY = 0.5;
const SAMPLE_MS = 100;
/** For how long after their last call other accounts count as present. */
const PRESENT_MS = 1000;
/** As many calls of an account wait at most, and so long: its key may have been revoked meanwhile. */
const MAX_WAITING = 2000;
const PATIENCE_MS = 5000;
/** An account that begins fewer calls than this part of the accounts' average never waits. */
const SHARE = 1 / 2;

/** A call that has begun; `end` it when it begins to wait for somebody else, and at its end. */
export interface StartTurn {
  /** On the clock of `performance.now()`. */
  readonly begunAt: number;
  end(): void;
}

interface WaitingCall {
  since: number;
  begin(turn: StartTurn): void;
  refuse(reason: ApiError): void;
}

/** An account's calls in this process. */
interface Turns {
  /** The oldest first. */
  working: Set<StartTurn>;
  waiting: WaitingCall[];
  timer: NodeJS.Timeout | undefined;
}

const accounts = new Map<string, Turns>();
let sample = performance.eventLoopUtilization();
let sampledAt = performance.now();
/** Halved while the process is busy, and otherwise increased by one, at each sample. */
let limit = MAX_STARTS;
/** How many calls accounts have begun in this period of `PRESENT_MS`, and in the one before. */
let begun = { total: 0, of: new Map<string, number>() };
let begunBefore = { total: 0, of: new Map<string, number>() };
let periodAt = performance.now();

/**
 * Waits until the account's call may begin. The calls of all accounts wait in the same queues, for the processor and for
 * the database: beside others, an account's calls begin a few at a time, so that theirs do not wait behind all of them.
 * Throws `limit_exhausted` if too many wait.
 */
export function startTurn(accountId: string): StartTurn | Promise<StartTurn> {
  const now = performance.now();
  const turns = accounts.get(accountId) ?? { working: new Set(), waiting: [], timer: undefined };
  accounts.set(accountId, turns);
  const { waiting } = turns;
  if (waiting.length === 0 && (isUnlimited(accountId, now) || hasRoom(turns, now)))
    return begin(accountId, turns, now);
  if (waiting.length >= MAX_WAITING)
    throw noTurn(`The account has ${waiting.length} calls that wait for their turn, the most there may be.`);
  return new Promise((begin, refuse) => {
    waiting.push({ since: now, begin, refuse });
    turns.timer ??= setTimeout(beginNext, WORKING_MS, accountId, turns);
  });
}

function noTurn(message: string): ApiError {
  return new ApiError("limit_exhausted", `${message} Send fewer at a time.`, {
    check: "limit",
    retryAfterSeconds: 1,
  });
}

/** True if fewer calls than the limit work, without those that have waited for somebody else by now. */
function hasRoom({ working }: Turns, now: number): boolean {
  if (working.size < limit) return true;
  for (const turn of working) {
    if (now - turn.begunAt < WORKING_MS) break;
    working.delete(turn);
  }
  return working.size < limit;
}

/** True if the account has the process to itself, takes little of it, or the process has had time for all. */
function isUnlimited(accountId: string, now: number): boolean {
  if (now - sampledAt >= SAMPLE_MS) {
    const isBusy = performance.eventLoopUtilization(sample).utilization > BUSY;
    limit = isBusy ? Math.max(FEWEST, limit >> 1) : Math.min(limit + 1, MAX_STARTS);
    sample = performance.eventLoopUtilization();
    sampledAt = now;
  }
  return limit === MAX_STARTS || now - lastCallBeside(accountId) > PRESENT_MS || isBelowShare(accountId, now);
}

/** Begins another period of counting if this one is over. */
function turnPeriod(now: number): void {
  if (now - periodAt < PRESENT_MS) return;
  const next = { total: 0, of: new Map<string, number>() };
  begunBefore = now - periodAt < 2 * PRESENT_MS ? begun : { total: 0, of: new Map() };
  begun = next;
  periodAt = now;
}

function isBelowShare(accountId: string, now: number): boolean {
  turnPeriod(now);
  const own = (begun.of.get(accountId) ?? 0) + (begunBefore.of.get(accountId) ?? 0);
  const accounts = Math.max(begun.of.size, begunBefore.of.size);
  return own * accounts < (begun.total + begunBefore.total) * SHARE;
}

function begin(accountId: string, turns: Turns, begunAt: number): StartTurn {
  let ended = false;
  const turn = {
    begunAt,
    end() {
      if (ended) return;
      ended = true;
      turns.working.delete(turn);
      if (turns.waiting.length > 0) beginNext(accountId, turns);
      else if (turns.working.size === 0 && accounts.get(accountId) === turns) accounts.delete(accountId);
    },
  };
  turns.working.add(turn);
  turnPeriod(begunAt);
  begun.total += 1;
  begun.of.set(accountId, (begun.of.get(accountId) ?? 0) + 1);
  return turn;
}

/** Begins the calls whose turn has come; if they are unlimited, two for each that ends: they may make the process busy. */
function beginNext(accountId: string, turns: Turns): void {
  clearTimeout(turns.timer);
  turns.timer = undefined;
  const { waiting } = turns;
  const now = performance.now();
  while (waiting[0] && now - waiting[0].since > PATIENCE_MS)
    waiting.shift()?.refuse(noTurn(`The call's turn did not come within ${PATIENCE_MS / 1000} seconds.`));
  let beyond = isUnlimited(accountId, now) ? 2 : 0;
  while (waiting.length > 0 && (hasRoom(turns, now) || beyond-- > 0))
    waiting.shift()?.begin(begin(accountId, turns, now));
  if (waiting.length > 0) turns.timer = setTimeout(beginNext, WORKING_MS, accountId, turns);
}
