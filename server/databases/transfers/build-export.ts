import { codeOf } from "#server/base/thrown.ts";
import { keeping, readBlob, writeBlob } from "#server/blobs/queries.ts";
import { ApiError } from "#server/operation/errors.ts";
import { platform } from "#server/platform.ts";
import type { StoredBlob } from "#server/providers/blobs/blob-store.ts";
import type { Tenant } from "#server/providers/tenants/cluster.ts";
import type { TenantSession } from "#server/providers/tenants/sessions.ts";
import { type Description, describeCatalogue, findDifferences } from "../archive/describe-catalogue.ts";
import { dumpSchema } from "../archive/dump-schema.ts";
import { loadArchive, loadSchema } from "../archive/load-archive.ts";
import { ArchiveFault } from "../archive/read-archive.ts";
import { boundedReader } from "../archive/read-definitions.ts";
import { refuseUnarchivable } from "../archive/refuse-unarchivable.ts";
import { type Outline, writeArchive } from "../archive/write-archive.ts";
import { endWriters } from "../commits.ts";
import { type DatabaseRow, inTenant, tenantOf } from "../queries.ts";
import { COPY_MS } from "./import-archive.ts";
import type { TransferRow } from "./rows.ts";
import { inScratch } from "./scratch.ts";
import { withArchive } from "./with-archive.ts";

/** The structure changed while it was read. */
class Changed extends Error {}

const ATTEMPTS = 3;
const reading = () => ({ readOnly: true, timeoutMs: COPY_MS, signal: new AbortController().signal });
const writing = () => ({ ...reading(), readOnly: false });

/** Builds the archive of a database and verifies that it can be imported; for a final export, rows included. */
export async function buildArchive(row: TransferRow, found: DatabaseRow): Promise<StoredBlob> {
  const tenant = tenantOf(found);
  if (row.final) await endWriters(tenant);
  const blob = await readUnchanged(tenant, async (session, outline) => {
    await tryToLoad(() =>
      inScratch(row, tenant.cluster, (scratch) =>
        inTenant(scratch, writing(), (session) => loadSchema(session, outline.dump, outline.description)),
      ),
    );
    const content = writeArchive(session, outline, platform().settings.archiveSigningKey);
    return writeBlob(content, { accountId: row.accountId, kind: "transfers" });
  });
  if (row.final) await keeping(blob, () => tryImport(row, tenant, blob));
  return blob;
}

/** Imports the archive into a scratch database, as its owner, before the original is dropped. */
async function tryImport(row: TransferRow, { cluster }: Tenant, { key }: StoredBlob): Promise<void> {
  await tryToLoad(async () =>
    withArchive(await readBlob(key), (archive) =>
      inScratch(row, cluster, (scratch) =>
        inTenant(scratch, writing(), (session) => loadArchive(session, archive)),
      ),
    ),
  );
}

async function tryToLoad(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    if (!(cause instanceof ArchiveFault)) throw cause;
    const text = `The archive was tried and can't be imported again, in ${cause.entry}. ${cause.message} Change the named object in the database.`;
    throw new ApiError("state_conflict", text, {}, { cause });
  }
}

/**
 * Runs `work` in a snapshot of the database. PostgreSQL reports definitions as of now, whatever the snapshot: so tables
 * are locked before the snapshot, and the definitions are compared with those that a later transaction sees.
 */
async function readUnchanged<T>(
  tenant: Tenant,
  work: (session: TenantSession, outline: Outline) => Promise<T>,
): Promise<T> {
  for (let left = ATTEMPTS - 1; ; left--) {
    try {
      const lock = await inTenant(tenant, reading(), async (session) => {
        await refuseUnarchivable(session);
        return lockTables(session);
      });
      return await inTenant(tenant, { ...reading(), snapshot: true }, async (session) => {
        if (lock) await session.sql.unsafe(lock).catch(refuseChanged);
        const read = boundedReader(session);
        const description = await describeCatalogue(session, read);
        const dump = await dumpSchema(session, read);
        const changed = await inTenant(tenant, reading(), (later) => findSoon(later, description));
        if (changed.length > 0) throw new Changed();
        return work(session, { dump, description });
      });
    } catch (reason) {
      if (!(reason instanceof Changed)) throw reason;
      if (left > 0) continue;
      throw new ApiError(
        "state_conflict",
        "The database's structure was changed again and again while it was read. Export it when that is done.",
      );
    }
  }
}

/** Returns a statement that locks every table and takes no snapshot; null without tables. */
async function lockTables({ sql }: TenantSession): Promise<string | null> {
  const [row] = await sql.unsafe<{ list: string | null }[]>(`
    select pg_catalog.string_agg(pg_catalog.format('only public.%I', relname), ', ' order by oid) as list from pg_catalog.pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`);
  return row?.list ? `lock table ${row.list} in access share mode` : null;
}

/** Does not wait long for a structural change: it may itself wait for the tables that are locked. */
async function findSoon(session: TenantSession, description: Description): Promise<string[]> {
  await session.sql.unsafe("set local lock_timeout = 2000");
  return findDifferences(session, description).catch(refuseChanged);
}

/** The table is gone; a lock was not available; a deadlock. */
const CHANGED = new Set(["42P01", "55P03", "40P01"]);

function refuseChanged(cause: unknown): never {
  throw CHANGED.has(codeOf(cause) ?? "") ? new Changed("", { cause }) : cause;
}
