import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "#server/boot/migrate.ts";
import { startPostgres } from "#server/boot/postgres.ts";

/** A migrated PostgreSQL of a test's own, for what the other tests' must not suffer; `drop` ends it. */
export async function startTestCluster() {
  const folder = mkdtempSync(join(tmpdir(), `managed-services-test-${process.pid}-`));
  const cluster = await startPostgres({
    name: "platform",
    dataDir: join(folder, "platform"),
    throwAway: true,
    // What was committed must outlive a kill of the server, and nothing saves what did not wait for the disk.
    settings: { synchronous_commit: "on", wal_writer_delay: "10s" },
  });
  await migrate(cluster.url());
  /** Sends a signal to the server and to every process of its own. */
  function signal(name: "SIGSTOP" | "SIGCONT") {
    const { pid } = cluster;
    // Stopped first, it starts none that would be missed.
    process.kill(pid, name);
    for (const child of readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" "))
      if (child.trim() !== "") process.kill(Number(child), name);
  }
  return {
    url: cluster.url(),
    /** Ends the server the hard way; its supervisor starts it again at the same address. */
    kill: () => process.kill(cluster.pid, "SIGKILL"),
    /** Has it answer nothing, as a network does that swallows what is sent, until `thaw`. */
    freeze: () => signal("SIGSTOP"),
    thaw: () => signal("SIGCONT"),
    async drop() {
      signal("SIGCONT");
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
