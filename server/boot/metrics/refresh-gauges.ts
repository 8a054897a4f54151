import { statfs } from "node:fs/promises";
import { Gauge } from "prom-client";
import { connect, deadlineOf } from "#db/connect.ts";
import { CONNECTIONS } from "#db/connections.ts";
import { log } from "../../base/log.ts";
import { checkChains } from "../../health/check-chains.ts";
import {
  checkBlobs,
  checkClusters,
  checkDatabase,
  checkServices,
  checkVault,
} from "../../health/check-components.ts";
import {
  createLedgerReader,
  DATABASE_GAUGES,
  READERS,
  type Reading,
} from "../../health/database-readings.ts";
import { schemaVersion } from "../../health/schema-version.ts";
import { createClaimsReader } from "../../health/stuck-claims.ts";
import type { Platform } from "../../platform.ts";
import type { MetricsRegistry } from "./instruments.ts";

/** The time for which readings are reused. */
const KEPT_MS = 10_000;
const STATEMENT_MS = 1000;

const COMPONENT_GAUGES: typeof DATABASE_GAUGES = {
  platform_build: { help: "The release of this process; always 1.", labels: ["version", "commit", "schema"] },
  platform_component_up: { help: "Whether a component answers, as `/health` says.", labels: ["component"] },
  platform_component_seconds: { help: "How long its answer took.", labels: ["component"] },
  platform_chain_head_block: { help: "The newest block of the chain's node.", labels: ["network"] },
  platform_disk_free_bytes: { help: "The free bytes on the disk of DATA_DIR." },
  platform_disk_size_bytes: { help: "The size of that disk." },
  platform_readings_failed: { help: "Readings that failed or took too long at the last refresh." },
};

export interface GaugeOptions {
  /** The database's address without a transaction pooler. */
  directUrl: string;
  dataDir: string;
  /** True if this process reads the database; one kind of process does so for all. */
  readsDatabase: boolean;
}

/** Reads the components from their health checks, whose results may be shared with other requests. */
async function readComponents(platform: Platform, dataDir: string): Promise<Reading[]> {
  const [database, blobs, vault, services, clusters, chains, disk] = await Promise.all([
    checkDatabase(),
    checkBlobs(),
    checkVault(),
    checkServices(),
    checkClusters(),
    checkChains(),
    statfs(dataDir).catch(() => null),
  ]);
  const named = clusters.map((check, index) => ({
    ...check,
    name: `databases/${platform.settings.tenantClusters[index]?.name ?? index}`,
  }));
  const { version, commit } = platform.settings.release;
  const build = { version, commit: commit ?? "", schema: schemaVersion() ?? "" };
  const readings: Reading[] = [{ name: "platform_build", labels: build, value: 1 }];
  for (const { name: component, ok, durationMs } of [database, blobs, ...vault, ...services, ...named]) {
    readings.push({ name: "platform_component_up", labels: { component }, value: Number(ok) });
    if (durationMs !== null)
      readings.push({ name: "platform_component_seconds", labels: { component }, value: durationMs / 1000 });
  }
  for (const { network, ok, blockNumber } of chains) {
    const component = `chain/${network}`;
    readings.push({ name: "platform_component_up", labels: { component }, value: Number(ok) });
    if (blockNumber !== null)
      readings.push({ name: "platform_chain_head_block", labels: { network }, value: blockNumber });
  }
  if (disk)
    readings.push(
      { name: "platform_disk_free_bytes", value: disk.bavail * disk.bsize },
      { name: "platform_disk_size_bytes", value: disk.blocks * disk.bsize },
    );
  return readings;
}

/** Returns gauges that are read on demand, at most every ten seconds. */
export function createGauges(registry: MetricsRegistry, platform: Platform, options: GaugeOptions) {
  const described = { ...COMPONENT_GAUGES, ...(options.readsDatabase ? DATABASE_GAUGES : {}) };
  const gauges = new Map(
    Object.entries(described).map(([name, { help, labels = [] }]) => [
      name,
      new Gauge({ name, help, labelNames: [...labels], registers: [registry as never] }),
    ]),
  );
  const readers = options.readsDatabase ? [...READERS, createLedgerReader(), createClaimsReader()] : [];
  // A separate connection, opened on demand, so that reading metrics delays no call.
  const sql = connect(options.directUrl, {
    max: CONNECTIONS.metrics,
    idle_timeout: 60,
    deadline: deadlineOf(2 * STATEMENT_MS),
    connection: {
      statement_timeout: STATEMENT_MS,
      enable_seqscan: false,
      default_transaction_read_only: true,
    },
  });
  let failing = false;
  let refreshed = Number.NEGATIVE_INFINITY;
  let refreshing: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    const failures: unknown[] = [];
    const readings = await readComponents(platform, options.dataDir);
    for (const read of readers)
      readings.push(
        ...(await read(sql).catch((error) => {
          failures.push(error);
          return [];
        })),
      );
    readings.push({ name: "platform_readings_failed", value: failures.length });
    if (failures.length > 0 && !failing)
      log.warn("Metrics of the database could not be read.", { error: failures[0] });
    failing = failures.length > 0;
    for (const gauge of gauges.values()) {
      gauge.reset();
      // A failed reading is missing, never 0.
      gauge.remove({});
    }
    for (const { name, labels = {}, value } of readings) gauges.get(name)?.set(labels, value);
    refreshed = performance.now();
  }

  return {
    /** Refreshes readings that are older than a moment; concurrent callers share the same refresh. */
    async refresh(): Promise<void> {
      if (performance.now() - refreshed < KEPT_MS) return;
      refreshing ??= refresh().finally(() => {
        refreshing = undefined;
      });
      await refreshing;
    },
    close: () => sql.end({ timeout: 1 }),
  };
}
