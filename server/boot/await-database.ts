import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "#db/connect.ts";
import { log } from "../log.ts";
import { isConnectionLost } from "../operation/faults.ts";
import { messageOf } from "../thrown.ts";

/** How long a start waits for a database that is starting itself. */
const WAIT_MS = 60_000;
const AGAIN_MS = 500;

/** The database that the settings name can't be used; the message is for the operator. */
export class DatabaseUnusable extends Error {}

/**
 * Waits until the database at `url` takes connections: beside it, an orchestrator starts the platform in no order.
 * Fails with `DatabaseUnusable`, naming the setting and never the password, where it refuses the sign-in, or nothing
 * answers in that time.
 */
export async function awaitDatabase(url: string, setting: string, waitMs = WAIT_MS): Promise<void> {
  const deadline = Date.now() + waitMs;
  for (let waited = false; ; waited = true) {
    const sql = connect(url, { max: 1, backoff: false });
    try {
      await sql`select 1`;
      if (waited) log.info("The database takes connections.");
      return;
    } catch (error) {
      const { host } = new URL(url);
      // Of a host with several addresses, each has a refusal of its own.
      const [first] = error instanceof AggregateError ? error.errors : [error];
      const cause = messageOf(first);
      if (!isConnectionLost(first))
        throw new DatabaseUnusable(`PostgreSQL at ${host} refuses ${setting}: ${cause}.`, { cause: error });
      if (Date.now() > deadline)
        throw new DatabaseUnusable(
          `No PostgreSQL takes connections at ${host} (${setting}): ${cause}. Start it, or correct the address.`,
          { cause: error },
        );
      if (!waited) log.warn("The database does not take connections yet; the start waits.", { host, cause });
    } finally {
      await sql.end({ timeout: 1 });
    }
    await sleep(AGAIN_MS);
  }
}
