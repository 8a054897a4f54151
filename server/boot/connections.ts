import postgres from "postgres";
import { readClockSkew, refuseSkew } from "../health/clock-skew.ts";
import { DatabaseUnusable } from "./await-database.ts";

/**
 * Refuses to start if the database could not serve this process in addition to the running ones, or if their clocks
 * differ too much.
 */
export async function checkConnections(url: string, needed: number) {
  const sql = postgres(url, { max: 1, connect_timeout: 10 });
  try {
    const refusal = refuseSkew(await readClockSkew(sql));
    if (refusal) throw new DatabaseUnusable(refusal);
    const [row] = await sql<{ allowed: number; used: number }[]>`
      select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - current_setting('reserved_connections')::int as allowed,
        (select count(*)::int from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()) as used`;
    if (!row || row.used + needed <= row.allowed) return;
    throw new Error(
      `The database allows ${row.allowed} connections; ${row.used} are in use and this process needs ${needed}, ` +
        `${row.used + needed} in all. Raise max_connections, or start fewer processes.`,
    );
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/**
 * Returns a warning if wallets send on the operator's chains and the database has no synchronous standby; null
 * otherwise. Without a standby, a failover can lose signed transactions, whose nonces would then be reused.
 */
export async function explainMissingStandby(url: string): Promise<string | null> {
  const sql = postgres(url, { max: 1, connect_timeout: 10 });
  try {
    const [row] = await sql`
      select from pg_stat_replication where sync_state is null or sync_state in ('sync', 'quorum') limit 1`;
    return row
      ? null
      : "The database has no synchronous standby: a failover would lose signed transactions of wallets. Set synchronous_standby_names.";
  } finally {
    await sql.end({ timeout: 5 });
  }
}
