import { CALL_MS } from "#db/client.ts";
import { CONNECTIONS } from "#db/connections.ts";
import { DatabaseLost, isDatabaseGone } from "./faults.ts";

/** An account may use all connections for transactions, and have no more waiting for one. */
const MOST_RUNNING_OF_ACCOUNT = CONNECTIONS.transactions;
/**
 * How long a commit waits while the database answers none of its account's: a little longer than a statement, so that
 * what follows finds the database known to be silent.
 */
const PATIENCE_MS = CALL_MS + 250;

/** An account's transactions in this process. */
interface Turns {
  running: number;
  waiting: Set<() => void>;
  /** When the database last answered one of them, on the clock of `performance.now()`. */
  answeredAt: number;
}

const accounts = new Map<string, Turns>();

/**
 * Runs a transaction in its account's turn: the driver serves transactions in the order of their arrival, and those of
 * other accounts must not wait behind all that one account has sent. Throws `DatabaseLost` while the database is silent.
 */
export async function inCommitTurn<Result>(accountId: string, work: () => Promise<Result>): Promise<Result> {
  const turns = accounts.get(accountId) ?? { running: 0, waiting: new Set(), answeredAt: 0 };
  accounts.set(accountId, turns);
  if (turns.running < MOST_RUNNING_OF_ACCOUNT) turns.running += 1;
  else await turnOf(turns);
  let answered = true;
  try {
    return await work();
  } catch (reason) {
    answered = !isDatabaseGone(reason);
    throw reason;
  } finally {
    if (answered) turns.answeredAt = performance.now();
    leave(accountId, turns);
  }
}

function turnOf(turns: Turns): Promise<void> {
  return new Promise((resolve, reject) => {
    const begin = () => {
      clearTimeout(timer);
      resolve();
    };
    const giveUp = () => {
      const leftMs = turns.answeredAt + PATIENCE_MS - performance.now();
      if (leftMs > 0) {
        timer = setTimeout(giveUp, leftMs);
        return;
      }
      turns.waiting.delete(begin);
      reject(new DatabaseLost("The platform's database (DATABASE_URL) took too long.", undefined));
    };
    let timer = setTimeout(giveUp, PATIENCE_MS);
    turns.waiting.add(begin);
  });
}

/** Passes the turn on to the account's next transaction, if one waits. */
function leave(accountId: string, turns: Turns): void {
  const [next] = turns.waiting;
  if (next) {
    turns.waiting.delete(next);
    next();
  } else {
    turns.running -= 1;
    if (turns.running === 0) accounts.delete(accountId);
  }
}
