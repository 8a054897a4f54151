import { sql } from "drizzle-orm";
import { files } from "#db/schema/files.ts";
import { projects } from "#db/schema/projects.ts";
import { exportAudit } from "#server/audit/export-audit.ts";
import { verifyExport } from "#server/audit/verify-export.ts";
import { idOf } from "#server/base/ids.ts";
import { openBlobStore } from "#server/providers/blobs/open-blob-store.ts";
import type { Installation } from "../installation.ts";

/**
 * Checks that every account's chain is intact, and has an event for each successful request and for each created
 * resource, whether or not its caller got a response.
 */
export async function checkAudit(
  { database, env }: Pick<Installation, "database" | "env">,
  succeeded: ReadonlySet<string>,
): Promise<string[]> {
  const faults: string[] = [];
  const blobs = openBlobStore(env.blobs);
  const accounts = await database.db.execute<{ id: string }>(
    sql`select distinct account_id as id from audit_events`,
  );
  for (const { id } of accounts) {
    const accountId = idOf("account", id);
    const request = { accountId, from: null, to: null };
    const lines = exportAudit(database, env.auditSigningKey, request, { blobs });
    await verifyExport(texts(lines)).catch((error) =>
      faults.push(`The audit of ${accountId}: ${error.message}`),
    );
  }
  const events = await database.db.execute<{ id: string; made: string | null }>(sql`
    select request_id as id, case when operation like '%.create' and outcome = 'allowed' then resource end as made
    from audit_events`);
  const recorded = new Set([...events].map(({ id }) => id));
  const creations = new Set([...events].map(({ made }) => made));
  const made = await Promise.all(
    [projects, files].map((table) => database.db.select({ id: table.id }).from(table)),
  );
  const silent = made.flat().filter(({ id }) => !creations.has(id));
  const missing = [...succeeded].filter((id) => !recorded.has(id));
  return [
    ...faults,
    ...silent.map(({ id }) => `The audit has no event of the making of ${id}.`),
    ...missing.map((id) => `The audit has no event of the request ${id}, which was answered.`),
  ];
}

async function* texts(lines: AsyncIterable<unknown>) {
  for await (const line of lines) yield JSON.stringify(line);
}
