import { randomBytes } from "node:crypto";
import { inArray } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { databaseTransfers } from "#db/schema/databases.ts";
import { idOf, toUuid } from "#server/base/ids.ts";
import { platform } from "#server/platform.ts";
import type { Tenant } from "#server/providers/tenants/cluster.ts";
import { dropDatabase, makeDatabase } from "../make-database.ts";
import type { TransferRow } from "./rows.ts";

const PREFIX = "scratch_";

/** Named by its transfer, so that the next process finds the files of a killed one. */
function scratchOf(cluster: string, transferId: string): Tenant {
  const name = `${PREFIX}${toUuid("transfer", transferId).replaceAll("-", "")}`;
  return {
    cluster,
    database: name,
    login: { role: name, password: randomBytes(24).toString("base64url") },
  };
}

/** Runs `work` with an empty temporary database and role, like a new tenant's. */
export async function inScratch<T>(
  { id }: TransferRow,
  cluster: string,
  work: (tenant: Tenant) => Promise<T>,
): Promise<T> {
  const tenant = scratchOf(cluster, id);
  await dropDatabase(tenant);
  let result: T;
  try {
    await makeDatabase(tenant);
    result = await work(tenant);
  } catch (reason) {
    // The first fault counts: a cluster that is away fails this, too.
    await dropDatabase(tenant).catch(() => undefined);
    throw reason;
  }
  await dropDatabase(tenant);
  return result;
}

/** Drops scratch databases that killed processes left and no attempt will use again. */
export async function sweepScratch(db: Db): Promise<void> {
  for (const { name: cluster } of platform().tenants.clusters) {
    const found = await platform().tenants.admin(cluster)<{ name: string }[]>`
      select datname as name from pg_database where starts_with(datname, ${PREFIX})
      union select rolname from pg_roles where starts_with(rolname, ${PREFIX})`;
    const ids = found.map(({ name }) => idOf("transfer", uuidIn(name)));
    if (ids.length === 0) continue;
    // Scratch databases of another installation on the same cluster are unknown here and left alone.
    const ended = await db
      .select({ id: databaseTransfers.id, status: databaseTransfers.status })
      .from(databaseTransfers)
      .where(inArray(databaseTransfers.id, ids));
    for (const { id, status } of ended) if (status !== "building") await dropDatabase(scratchOf(cluster, id));
  }
}

const uuidIn = (name: string) =>
  name.slice(PREFIX.length).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
