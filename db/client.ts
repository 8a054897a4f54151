import { DrizzleQueryError } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { connect, type Deadline, deadlineOf } from "./connect.ts";
import { CONNECTIONS } from "./connections.ts";
import { followed } from "./follow-queries.ts";
import { retryUndone } from "./retry-undone.ts";
import * as accounts from "./schema/accounts.ts";
import * as approvals from "./schema/approvals.ts";
import * as artifacts from "./schema/artifacts.ts";
import * as audit from "./schema/audit.ts";
import * as blobs from "./schema/blobs.ts";
import * as callbacks from "./schema/callbacks.ts";
import * as caps from "./schema/caps.ts";
import * as chainHeads from "./schema/chain-heads.ts";
import * as concurrency from "./schema/concurrency.ts";
import * as connections from "./schema/connections.ts";
import * as databases from "./schema/databases.ts";
import * as files from "./schema/files.ts";
import * as funds from "./schema/funds.ts";
import * as idempotency from "./schema/idempotency.ts";
import * as keys from "./schema/keys.ts";
import * as ledger from "./schema/ledger.ts";
import * as memory from "./schema/memory.ts";
import * as oauth from "./schema/oauth.ts";
import * as payments from "./schema/payments.ts";
import * as prices from "./schema/prices.ts";
import * as projects from "./schema/projects.ts";
import * as quotes from "./schema/quotes.ts";
import * as relayer from "./schema/relayer.ts";
import * as runs from "./schema/runs.ts";
import * as sentEvents from "./schema/sent-events.ts";
import * as services from "./schema/services.ts";
import * as signatures from "./schema/signatures.ts";
import * as swaps from "./schema/swaps.ts";
import * as trading from "./schema/trading.ts";
import * as transactions from "./schema/transactions.ts";
import * as triggers from "./schema/triggers.ts";
import * as wallets from "./schema/wallets.ts";
import * as webhooks from "./schema/webhooks.ts";
import * as workflows from "./schema/workflows.ts";

const schema = {
  ...accounts,
  ...approvals,
  ...artifacts,
  ...audit,
  ...blobs,
  ...callbacks,
  ...caps,
  ...chainHeads,
  ...concurrency,
  ...connections,
  ...databases,
  ...files,
  ...funds,
  ...idempotency,
  ...keys,
  ...ledger,
  ...memory,
  ...oauth,
  ...payments,
  ...prices,
  ...projects,
  ...quotes,
  ...relayer,
  ...runs,
  ...services,
  ...sentEvents,
  ...signatures,
  ...swaps,
  ...transactions,
  ...trading,
  ...triggers,
  ...wallets,
  ...webhooks,
  ...workflows,
};

/** PostgreSQL's own time limits end this much earlier than the connection's. */
const SERVER_FIRST_MS = 250;

/**
 * Connects at once, so that a refusal is noticed quickly. Without a deadline, as in an operator's command, statements
 * take as long as they take. A transaction pooler refuses session settings; behind one, the server ends a statement
 * after its connection has ended.
 */
function connectPool(url: string, max: number, deadline: Deadline | null, pooled: boolean) {
  if (!deadline) return connect(url, { max });
  const connection = pooled ? {} : { statement_timeout: deadline.ms - SERVER_FIRST_MS };
  return connect(url, { max, backoff: false, deadline, connection });
}

/** How the connections of a pool are used. */
interface PoolOptions {
  /** The time limit of a statement; null: none. */
  deadline?: Deadline | null;
  /** True if the address leads to a transaction pooler, which may give each transaction another session. */
  pooled?: boolean;
}

/**
 * Makes Drizzle's queries prepared and pipelined. Drizzle sends every query by `unsafe`, which postgres.js does not
 * prepare or pipeline unless asked. A prepared query is one round trip instead of two, and many share a connection:
 * ten times the throughput.
 */
function prepared<Client extends postgres.Sql | postgres.TransactionSql>(client: Client): Client {
  const { unsafe } = client;
  client.unsafe = ((query: string, values?: never[], options?: postgres.UnsafeQueryOptions) =>
    followed(query, unsafe(query, values, { ...options, prepare: true }))) as typeof unsafe;
  for (const scope of ["begin", "savepoint"] as const) {
    const open = (client as unknown as Record<string, undefined | ((...args: unknown[]) => unknown)>)[scope];
    if (!open) continue;
    Object.assign(client, {
      [scope]: (...args: unknown[]) => {
        const work = args.pop() as (inner: postgres.TransactionSql) => unknown;
        return open(...args, (inner: postgres.TransactionSql) => work(prepared(inner)));
      },
    });
  }
  return client;
}

function wrap(client: postgres.Sql) {
  return drizzle(client, { schema, casing: "snake_case" });
}

/** Drizzle over a pool or one of its transactions; handlers use this. */
export type Db = Omit<ReturnType<typeof wrap>, "$client">;
/** Drizzle over an open transaction. */
export type Transaction = Parameters<Parameters<ReturnType<typeof wrap>["transaction"]>[0]>[0];

// Next.js bundles its own copy of this module.
const LATER = Symbol.for("managed-services.after-commit");

/** Calls back once the transaction is committed, and never if it is rolled back; at once outside of a transaction. */
export function afterCommit(on: Db | Transaction, callback: () => void): void {
  const { [LATER]: later } = on as { [LATER]?: (() => void)[] };
  if (later) later.push(callback);
  else callback();
}

/** How long a call waits for the platform's own database at most. */
export const CALL_MS = 3250;
const PROBE_MS = 2000;
/** The time limit for work that nobody waits for: jobs, sweeps, engines. */
const WORK_MS = 20_000;

/** Opens the process's connections to the platform's database; by default with the deadlines of calls. */
export function openDatabase(
  url: string,
  {
    handlers = CONNECTIONS.handlers,
    deadline = deadlineOf(CALL_MS),
    pooled = false,
  }: PoolOptions & { handlers?: number } = {},
) {
  const admission = connectPool(url, CONNECTIONS.admission, deadline, pooled);
  const writers = Math.min(handlers, CONNECTIONS.transactions);
  const pool = openPool(url, handlers, { writers, deadline, pooled });
  // Health checks must not delay calls, so they share neither connections nor the record of the database's silence.
  const probe = connect(url, { max: CONNECTIONS.health, backoff: false, deadline: deadlineOf(PROBE_MS) });
  return {
    /** Where it is. */
    url,
    /** postgres.js for admission and recording. */
    admission,
    /** postgres.js for `/health`. */
    probe,
    /** postgres.js over the handlers' pool. */
    client: pool.client,
    /** Drizzle over the handlers' pool. */
    db: pool.db,
    /** True while the database answers none of these statements. */
    isSilent: () => deadline !== null && performance.now() - deadline.answeredAt > 2 * deadline.silentMs,
    async close() {
      await Promise.all([admission.end({ timeout: 5 }), probe.end({ timeout: 5 }), pool.close()]);
    },
  };
}

const COMMITTING = Symbol.for("managed-services.committing");

/**
 * True if a transaction failed with this reason while committing: if its connection was lost, it may be committed.
 */
export function failedCommitting(reason: unknown): boolean {
  return typeof reason === "object" && reason !== null && COMMITTING in reason;
}

/** The SQLSTATE of a statement refused because its transaction had already failed. */
const TRANSACTION_FAILED = "25P02";

/**
 * Throws the first failure of statements sent together; a later one may be reported first. postgres.js does this
 * itself, unless Drizzle's error hides the code that it checks.
 */
function throwFirstFailure(reason: unknown): never {
  const cause = reason instanceof DrizzleQueryError ? reason.cause : null;
  if (cause instanceof postgres.PostgresError && cause.code === TRANSACTION_FAILED) throw cause;
  throw reason;
}

/**
 * Opens a pool of `max` connections for statements, and one for transactions, by default of the same size.
 * postgres.js loses a transaction whose BEGIN is the last that fits a full pipeline; connections used for
 * transactions alone never have a full one.
 */
export function openPool(
  url: string,
  max: number,
  { writers = max, deadline = deadlineOf(WORK_MS), pooled = false }: PoolOptions & { writers?: number } = {},
) {
  const client = prepared(connectPool(url, max, deadline, pooled));
  const transactions = prepared(connectPool(url, writers, deadline, pooled));
  const writing = wrap(transactions);
  const db: Db = Object.assign(wrap(client), {
    async transaction<T>(
      work: (tx: Transaction) => Promise<T>,
      config?: Parameters<typeof writing.transaction>[1],
    ): Promise<T> {
      const { result, later } = await retryUndone(async () => {
        const later: (() => void)[] = [];
        let done = false;
        async function doWork(tx: Transaction) {
          const result = await work(Object.assign(tx, { [LATER]: later })).catch(throwFirstFailure);
          done = true;
          return result;
        }
        try {
          return { result: await writing.transaction(doWork, config), later };
        } catch (reason) {
          throw done ? Object.assign(reason as Error, { [COMMITTING]: true }) : reason;
        }
      });
      for (const callback of later) callback();
      return result;
    },
  });
  return {
    client,
    db,
    async close() {
      await Promise.all([client.end({ timeout: 5 }), transactions.end({ timeout: 5 })]);
    },
  };
}

/** Shorter than a call's limit, so that the primary can still respond in time if a standby does not. */
const STANDBY_MS = 1500;
const STANDBY_PROBE_MS = 500;

/** Opens the process's connections to a standby of the platform's database; `probe` measures its lag. */
export function openStandby(url: string) {
  const pool = openPool(url, CONNECTIONS.replica, { writers: 1, deadline: deadlineOf(STANDBY_MS) });
  const probe = connect(url, { max: 1, backoff: false, deadline: deadlineOf(STANDBY_PROBE_MS) });
  return {
    db: pool.db,
    probe,
    async close() {
      await Promise.all([pool.close(), probe.end({ timeout: 5 })]);
    },
  };
}

export type Database = ReturnType<typeof openDatabase>;
