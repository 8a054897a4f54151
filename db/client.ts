import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { CONNECTIONS } from "./connections.ts";
import * as accounts from "./schema/accounts.ts";
import * as approvals from "./schema/approvals.ts";
import * as artifacts from "./schema/artifacts.ts";
import * as audit from "./schema/audit.ts";
import * as blobs from "./schema/blobs.ts";
import * as caps from "./schema/caps.ts";
import * as chainHeads from "./schema/chain-heads.ts";
import * as connections from "./schema/connections.ts";
import * as databases from "./schema/databases.ts";
import * as files from "./schema/files.ts";
import * as idempotency from "./schema/idempotency.ts";
import * as keys from "./schema/keys.ts";
import * as ledger from "./schema/ledger.ts";
import * as memory from "./schema/memory.ts";
import * as payments from "./schema/payments.ts";
import * as prices from "./schema/prices.ts";
import * as projects from "./schema/projects.ts";
import * as quotes from "./schema/quotes.ts";
import * as relayer from "./schema/relayer.ts";
import * as runs from "./schema/runs.ts";
import * as services from "./schema/services.ts";
import * as signatures from "./schema/signatures.ts";
import * as swaps from "./schema/swaps.ts";
import * as trading from "./schema/trading.ts";
import * as transactions from "./schema/transactions.ts";
import * as wallets from "./schema/wallets.ts";
import * as webhooks from "./schema/webhooks.ts";

const schema = {
  ...accounts,
  ...approvals,
  ...artifacts,
  ...audit,
  ...blobs,
  ...caps,
  ...chainHeads,
  ...connections,
  ...databases,
  ...files,
  ...idempotency,
  ...keys,
  ...ledger,
  ...memory,
  ...payments,
  ...prices,
  ...projects,
  ...quotes,
  ...relayer,
  ...runs,
  ...services,
  ...signatures,
  ...swaps,
  ...transactions,
  ...trading,
  ...wallets,
  ...webhooks,
};

// With its own bound of 100, which its types leave out, postgres.js searches ever longer lists for a connection to use:
// under load that took half the time of a small query.
const PIPELINE: object = { max_pipeline: 20 };

function connect(url: string, options: postgres.Options<Record<string, never>>) {
  return postgres(url, {
    onnotice: () => undefined,
    connect_timeout: 5,
    backoff: false,
    ...PIPELINE,
    ...options,
  });
}

/**
 * Drizzle sends every query by `unsafe`, which postgres.js neither prepares nor pipelines unless told to. Prepared,
 * a query is one round trip instead of two, and many share a connection: ten times the throughput.
 */
function prepared<Client extends postgres.Sql | postgres.TransactionSql>(client: Client): Client {
  const { unsafe } = client;
  client.unsafe = ((query: string, values?: never[], options?: postgres.UnsafeQueryOptions) =>
    unsafe(query, values, { ...options, prepare: true })) as typeof unsafe;
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

/** Drizzle over a pool, or over one transaction of it: what a handler talks to. */
export type Db = Omit<ReturnType<typeof wrap>, "$client">;
/** Drizzle over an open transaction. */
export type Transaction = Parameters<Parameters<ReturnType<typeof wrap>["transaction"]>[0]>[0];

// Next.js bundles its own copy of this module.
const LATER = Symbol.for("managed-services.after-commit");

/** Calls back once the transaction is committed, and never where it is not; at once outside of one. */
export function afterCommit(on: Db | Transaction, tell: () => void): void {
  const { [LATER]: later } = on as { [LATER]?: (() => void)[] };
  if (later) later.push(tell);
  else tell();
}

/** The process's connections to the platform's database; the statements of handlers are bounded in time. */
export function openDatabase(
  url: string,
  handlers: number = CONNECTIONS.handlers,
  transactions: number = Math.min(handlers, CONNECTIONS.transactions),
) {
  const admission = connect(url, { max: CONNECTIONS.admission });
  const { client, db, close } = openPool(url, handlers, transactions);
  return {
    /** postgres.js for admission and recording. */
    admission,
    /** postgres.js over the handlers' pool. */
    client,
    /** Drizzle over the handlers' pool. */
    db,
    async close() {
      await Promise.all([admission.end({ timeout: 5 }), close()]);
    },
  };
}

/**
 * A pool of `max` connections for statements and one for transactions, by default of as many. postgres.js loses sight of a transaction whose
 * BEGIN is the last that a full pipeline takes; where nothing else is sent, none is ever full.
 */
export function openPool(url: string, max: number, writers = max) {
  const connection = { statement_timeout: 15_000 };
  const client = prepared(connect(url, { max, connection }));
  const transactions = prepared(connect(url, { max: writers, connection }));
  const writing = wrap(transactions);
  const db: Db = Object.assign(wrap(client), {
    async transaction<T>(
      work: (tx: Transaction) => Promise<T>,
      config?: Parameters<typeof writing.transaction>[1],
    ): Promise<T> {
      const later: (() => void)[] = [];
      const result = await writing.transaction((tx) => work(Object.assign(tx, { [LATER]: later })), config);
      for (const tell of later) tell();
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

export type Database = ReturnType<typeof openDatabase>;
