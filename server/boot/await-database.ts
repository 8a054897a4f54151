import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "#db/connect.ts";
import { log } from "../base/log.ts";
import { messageOf } from "../base/thrown.ts";
import { isConnectionLost } from "../operation/faults.ts";

/** How long the platform waits for a database that is starting. */
const WAIT_MS = 60_000;
const AGAIN_MS = 500;

/** The configured database can't be used; the message is for the operator. */
export class DatabaseUnusable extends Error {}

/**
 * Waits until the database at `url` accepts connections: an orchestrator may start the platform before it. Throws
 * `DatabaseUnusable`, which names the setting and never the password, if the database refuses the sign-in or does not
 * respond in time.
 */
export async function awaitDatabase(url: string, setting: string, waitMs = WAIT_MS): Promise<void> {
  const deadline = Date.now() + waitMs;
  for (let waited = false; ; waited = true) {
    const sql = connect(url, { max: 1, backoff: false });
    try {
      await sql`select 1`;
      if (waited) log.info("The database accepts connections.");
      return;
    } catch (error) {
      const { host } = new URL(url);
      // If the host has several addresses, each has its own refusal.
      const [first] = error instanceof AggregateError ? error.errors : [error];
      const cause = messageOf(first);
      if (!isConnectionLost(first))
        throw new DatabaseUnusable(`PostgreSQL at ${host} refuses ${setting}: ${cause}.`, { cause: error });
      if (Date.now() > deadline)
        throw new DatabaseUnusable(
          `No PostgreSQL accepts connections at ${host} (${setting}): ${cause}. Start it, or correct the address.`,
          { cause: error },
        );
      if (!waited)
        log.warn("The database does not accept connections yet; the start waits.", { host, error: cause });
    } finally {
      await sql.end({ timeout: 1 });
    }
    await sleep(AGAIN_MS);
  }
}
