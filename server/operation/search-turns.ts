import { ApiError } from "./errors.ts";
import { ComponentLost } from "./faults.ts";

/** Searches at a time in one process: half of the handlers' connections, and one account has no more than half of these. */
const MAX_RUNNING = 2;
const MAX_RUNNING_OF_ACCOUNT = 1;
/** Searches that wait, beside those that run. */
const MAX_WAITING = 500;
const MAX_WAITING_OF_ACCOUNT = 8;

interface Waiting {
  accountId: string;
  begin(): void;
}

const running = new Map<string, number>();
let waiting: Waiting[] = [];

const total = () => [...running.values()].reduce((sum, count) => sum + count, 0);
const mayBegin = (accountId: string) =>
  total() < MAX_RUNNING && (running.get(accountId) ?? 0) < MAX_RUNNING_OF_ACCOUNT;

/**
 * Runs a search of a list in its account's turn. A text that no index finds is compared with every row of the account,
 * which takes a connection for as long; an account with many rows must not take all of them.
 */
export async function inSearchTurn<Result>(accountId: string, work: () => Promise<Result>): Promise<Result> {
  if (!mayBegin(accountId)) await turnOf(accountId);
  else enter(accountId);
  try {
    return await work();
  } finally {
    leave(accountId);
  }
}

function turnOf(accountId: string): Promise<void> {
  const own = waiting.filter((one) => one.accountId === accountId).length;
  if (own >= MAX_WAITING_OF_ACCOUNT)
    throw new ApiError(
      "limit_exhausted",
      `The account has ${own} searches of lists that wait, the most there may be. Send fewer at a time.`,
      { check: "limit", retryAfterSeconds: 1 },
    );
  if (waiting.length >= MAX_WAITING)
    throw new ComponentLost("Too many searches of lists wait. Send the call again.", {
      retryAfterSeconds: 1,
    });
  return new Promise((begin) => waiting.push({ accountId, begin }));
}

function enter(accountId: string): void {
  running.set(accountId, (running.get(accountId) ?? 0) + 1);
}

function leave(accountId: string): void {
  const rest = (running.get(accountId) ?? 1) - 1;
  if (rest > 0) running.set(accountId, rest);
  else running.delete(accountId);
  const next = waiting.find((one) => mayBegin(one.accountId));
  if (!next) return;
  waiting = waiting.filter((one) => one !== next);
  enter(next.accountId);
  next.begin();
}
