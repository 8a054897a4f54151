import postgres from "postgres";

/** Refuses to start where the database could not serve this process beside those it serves already. */
export async function checkConnections(url: string, needed: number) {
  const sql = postgres(url, { max: 1, connect_timeout: 10 });
  try {
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
