import type { ChildProcess } from "node:child_process";
import type postgres from "postgres";
import { expect } from "vitest";

/**
 * Freezes a server's process (SIGSTOP) while its call waits for a locked table (in mode `share`, to write to it; in mode
 * `access exclusive`, also to read it), and ends the session that holds its liveness lock, so that other processes take
 * over its claims. SIGCONT lets the process continue.
 */
export async function freezeAtTable<Result>(
  client: postgres.Sql,
  { name, child }: { name: string; child: ChildProcess },
  lock: { table: string; mode: "share" | "access exclusive" },
  makeCall: () => Promise<Result>,
): Promise<{ first: Promise<Result> }> {
  const { call: first } = await client.begin(async (tx) => {
    await tx`lock table ${tx(lock.table)} in ${tx.unsafe(lock.mode)} mode`;
    const call = makeCall();
    const waiting = () =>
      client`select from pg_stat_activity where application_name = ${name} and wait_event_type = 'Lock'`;
    await expect.poll(waiting).toHaveLength(1);
    child.kill("SIGSTOP");
    return { call };
  });
  await client`
    select pg_terminate_backend(pid) from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and application_name = ${name}`;
  return { first };
}
