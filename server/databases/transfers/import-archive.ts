import { sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { databaseTransfers } from "#db/schema/databases.ts";
import { quoteIdentifier } from "#server/base/quote-identifier.ts";
import { readBlob } from "#server/blobs/queries.ts";
import { ApiError } from "#server/operation/errors.ts";
import { publishChange } from "#server/operation/publish-change.ts";
import type { Tenant } from "#server/providers/tenants/cluster.ts";
import type { TenantSession } from "#server/providers/tenants/sessions.ts";
import { loadArchive } from "../archive/load-archive.ts";
import type { Archive } from "../archive/read-archive.ts";
import { allowCommit, pinTransaction, wasCommitted } from "../commits.ts";
import { findDatabase, inTenant, tenantOf } from "../queries.ts";
import { isEmpty } from "../structure.ts";
import { isTransfer, listParts, type PartRow, type TransferRow } from "./rows.ts";
import type { Difference } from "./schema.ts";
import { withArchive } from "./with-archive.ts";

/** The time limit for copying a whole database. */
export const COPY_MS = 30 * 60_000;

/** Verifies an import's whole archive, then applies it in one transaction; a dry run returns the difference. */
export async function importArchive(db: Db, row: TransferRow): Promise<Difference | null> {
  const found = await findDatabase(db, row.accountId);
  if (found?.status !== "ready")
    throw new ApiError("state_conflict", "The account has no database that is ready.");
  const tenant = tenantOf(found);
  if (row.transactionId && (await wasCommitted(tenant, row.transactionId))) return null;
  return withArchive(contentOf(await listParts(db, row)), async (archive) => {
    await mark(db, row, { status: "applying" });
    publishChange(db, row.accountId, "databases");
    return apply(db, row, tenant, archive);
  });
}

async function* contentOf(parts: readonly PartRow[]): AsyncGenerator<Uint8Array> {
  for (const { blobKey } of parts) yield* await readBlob(blobKey);
}

/** Records the progress of a transfer; throws if it has ended meanwhile, so that nothing is applied. */
async function mark(
  db: Db | Transaction,
  row: TransferRow,
  set: Partial<Pick<TransferRow, "status" | "transactionId">>,
) {
  const open = sql`${databaseTransfers.status} in ('validating', 'applying')`;
  const marked = await db
    .update(databaseTransfers)
    .set(set)
    .where(sql`${isTransfer(row.accountId, row.id)} and ${open}`)
    .returning({ id: databaseTransfers.id });
  if (marked.length === 0) throw new ApiError("state_conflict", "The transfer has ended meanwhile.");
}

async function apply(db: Db, row: TransferRow, tenant: Tenant, archive: Archive): Promise<Difference | null> {
  const options = { readOnly: false, timeoutMs: COPY_MS, signal: new AbortController().signal };
  const work = async (session: TenantSession) => {
    const empty = await isEmpty(session);
    const difference = row.dryRun ? compare(archive, await countRows(session)) : null;
    if (!empty && !row.dryRun)
      throw new ApiError(
        "state_conflict",
        "The database is not empty any more. Drop its objects, or deprovision it.",
      );
    // A dry run into an empty database loads everything and is rolled back.
    if (empty) await loadArchive(session, archive);
    return difference;
  };
  if (row.dryRun) return inTenant(tenant, options, work);
  return inTenant(tenant, options, work, async ({ sql }) => {
    await sql.unsafe("set local synchronous_commit = on");
    const [{ id } = { id: "" }] = await sql.unsafe<{ id: string }[]>(
      "select pg_current_xact_id()::text as id",
    );
    await pinTransaction(tenant);
    await db.transaction(async (tx) => {
      await allowCommit(tx, tenant);
      await mark(tx, row, { transactionId: id });
    });
    await sql.unsafe("commit").catch(async (reason) => {
      if (!(await wasCommitted(tenant, id))) throw reason;
    });
  });
}

async function countRows({ sql }: TenantSession): Promise<Map<string, number>> {
  const tables = await sql.unsafe<{ name: string }[]>(
    "select relname as name from pg_catalog.pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1",
  );
  const counts = new Map<string, number>();
  for (const { name } of tables) {
    const [row] = await sql.unsafe<{ rows: string }[]>(
      `select count(*)::text as rows from only public.${quoteIdentifier(name)}`,
    );
    counts.set(name, Number(row?.rows));
  }
  return counts;
}

function compare({ manifest }: Archive, present: ReadonlyMap<string, number>): Difference {
  const archived = new Map(manifest.tables.map(({ name, rows }) => [name, rows]));
  const names = [...new Set([...archived.keys(), ...present.keys()])].sort();
  return {
    tables: names.map((name) => {
      const archiveRows = archived.get(name) ?? null;
      const databaseRows = present.get(name) ?? null;
      const change = databaseRows === null ? "added" : archiveRows === null ? "missing" : "kept";
      return { name, change, archiveRows, databaseRows };
    }),
  };
}
