import type { Sql } from "postgres";
import { openDatabase } from "#db/client.ts";
import { connect } from "#db/connect.ts";
import { withSearchPathOf } from "#db/search-path.ts";
import { createChanges } from "#server/base/changes.ts";
import { holdLiveness } from "#server/base/liveness.ts";
import { log } from "#server/base/log.ts";
import { isLockError } from "#server/base/thrown.ts";
import { createWakeUps } from "#server/base/wake-ups.ts";
import { registeredSelectors } from "#server/catalogue/selectors.ts";
import { DATABASE_LIMITS, TEMPORARY_BYTES } from "#server/databases/schema.ts";
import { createAdmission } from "#server/operation/admission.ts";
import { createClaimReleaser } from "#server/operation/claim-releaser.ts";
import { createOpenStreams } from "#server/operation/open-streams.ts";
import type { Operation } from "#server/operation/operation.ts";
import { createRecorder } from "#server/operation/recorder.ts";
import { createLeases } from "#server/operation/renew-leases.ts";
import { openReplica } from "#server/operation/replica.ts";
import { openBlobStore } from "#server/providers/blobs/open-blob-store.ts";
import { openChains } from "#server/providers/chain/chains.ts";
import { openFacilitator } from "#server/providers/facilitator/open-facilitator.ts";
import { openSmtp } from "#server/providers/mail/smtp.ts";
import { createTenantSessions } from "#server/providers/tenants/sessions.ts";
import { openVault } from "#server/providers/vault/vault.ts";
import { ownServices } from "#server/services/own-services.ts";
import { type Platform, runningPlatform, type Settings, setPlatform } from "./platform.ts";

/**
 * Connects the platform's parts, and stores when new operations, capabilities and services were first registered.
 * `directUrl` bypasses any transaction pooler, for connections that hold a lock.
 */
export async function startPlatform(
  settings: Settings,
  databaseUrl: string,
  operations: readonly Operation[],
  directUrl = databaseUrl,
): Promise<Platform> {
  const liveness = await holdLiveness(directUrl, settings);
  const database = openDatabase(databaseUrl, { pooled: directUrl !== databaseUrl });
  const claims = createClaimReleaser(database.admission);
  const leases = createLeases(database.admission, liveness);
  const registrations = new Map<string, number>();
  const chains = openChains(settings.chains, settings.sandboxMnemonic);
  const [payable] = chains.all;
  const { replicaUrl } = settings;
  const started: Platform = {
    settings,
    database,
    replica: replicaUrl === undefined ? null : openReplica(withSearchPathOf(replicaUrl, directUrl), database),
    admit: createAdmission(database.admission, leases.giveUp),
    record: createRecorder(database.admission, leases.owe),
    liveness,
    claims,
    leases,
    blobs: openBlobStore(settings.blobs),
    chains,
    vault: openVault(settings.vault),
    mailer: settings.mail && openSmtp(settings.mail),
    facilitator: payable ? openFacilitator(settings.payments, payable) : null,
    tenants: createTenantSessions(settings.tenantClusters, {
      connections: DATABASE_LIMITS.connections,
      messageBytes: DATABASE_LIMITS.maximumResultBytes,
      databaseBytes: settings.storage.databaseBytes,
      temporaryBytes: TEMPORARY_BYTES,
      statementMs: DATABASE_LIMITS.maximumTimeoutMs,
    }),
    wakeUps: createWakeUps(database.client),
    changes: createChanges(database.client),
    streams: createOpenStreams(settings.streams),
    worker: null,
    services: [...ownServices, ...(settings.services ?? [])],
    operations,
    registrations,
    async close() {
      if (runningPlatform() === started) setPlatform(null);
      leases.stop();
      claims.stop();
      await Promise.all([started.tenants.close(), database.close(), started.replica?.close()]);
      await liveness.release();
    },
  };
  // Makes the services known to the code that runs below.
  setPlatform(started);
  for (const { selector, at } of await register(databaseUrl, registeredSelectors(operations)))
    registrations.set(selector, at);
  return started;
}

/** Creates the partitions of the next months, unless another transaction keeps their tables. */
async function ensurePartitions(sql: Sql): Promise<void> {
  try {
    await sql`select ensure_partitions()`;
  } catch (error) {
    if (!isLockError(error)) throw error;
    // Until then, rows of those months go to the default partition.
    log.warn(
      "The next months' partitions wait for a transaction that uses their tables; a job creates them.",
      {
        error,
      },
    );
  }
}

/**
 * Inserts new selectors with the current time, and returns the time of every selector. A start has more time for this
 * than a call.
 */
async function register(databaseUrl: string, selectors: string[]) {
  const sql = connect(databaseUrl, { max: 1 });
  try {
    await ensurePartitions(sql);
    await sql`insert into registrations (selector, registered_at)
      select selector, clock_timestamp() from unnest(${selectors}::text[]) selector order by selector on conflict do nothing`;
    return await sql<{ selector: string; at: number }[]>`
      select selector, (extract(epoch from registered_at) * 1000)::float8 as at from registrations`;
  } finally {
    await sql.end({ timeout: 5 });
  }
}
