import { CALL_MS } from "#db/client.ts";
import { CONNECTIONS } from "#db/connections.ts";
import { LATE_MS } from "#server/base/sleep-awake.ts";
import { platform } from "#server/platform.ts";

/** An account may use all connections for transactions but one, and have no more waiting for one. */
const MAX_RUNNING_OF_ACCOUNT = CONNECTIONS.transactions - 1;
/** As many wait for a connection at most. */
const MAX_WAITING_OF_ACCOUNT = 2000;
/**
 * How long a transaction waits for a silent database: a little longer than a statement, so that the next transaction
 * finds the database known to be silent.
 */
const PATIENCE_MS = CALL_MS + 250;
const AGAIN_MS = 250;

/** An account's transactions in this process. */
interface Turns {
  running: number;
  waiting: Set<() => void>;
}

/** No turn came, since the database was silent or too many waited. It has the code of such an error of the driver. */
class NoTurn extends Error {
  readonly code: string;

  constructor(code: "QUERY_TIMEOUT" | "QUEUE_FULL") {
    super("No connection was free for the transaction in time.");
    this.code = code;
  }
}

const accounts = new Map<string, Turns>();

/**
 * Runs a transaction in its account's turn: the driver serves transactions in the order of their arrival, and those of
 * other accounts must not wait behind all that one account has sent. Like the driver's queue, it gives up if the database
 * is silent.
 */
export async function inCommitTurn<Result>(accountId: string, work: () => Promise<Result>): Promise<Result> {
  const turns = accounts.get(accountId) ?? { running: 0, waiting: new Set() };
  accounts.set(accountId, turns);
  if (turns.running < MAX_RUNNING_OF_ACCOUNT) turns.running += 1;
  else await turnOf(turns);
  try {
    return await work();
  } finally {
    leave(accountId, turns);
  }
}

function turnOf({ waiting }: Turns): Promise<void> {
  if (waiting.size >= MAX_WAITING_OF_ACCOUNT) throw new NoTurn("QUEUE_FULL");
  const { database } = platform();
  return new Promise((resolve, reject) => {
    const begin = () => {
      clearTimeout(timer);
      resolve();
    };
    let due = performance.now() + PATIENCE_MS;
    const giveUp = () => {
      const now = performance.now();
      // A process that was busy until now has not read the database's answers.
      if (now - due > LATE_MS || !database.isSilent()) {
        due = now + AGAIN_MS;
        timer = setTimeout(giveUp, AGAIN_MS);
        return;
      }
      waiting.delete(begin);
      reject(new NoTurn("QUERY_TIMEOUT"));
    };
    let timer = setTimeout(giveUp, PATIENCE_MS);
    waiting.add(begin);
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
