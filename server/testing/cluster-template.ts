import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import postgres from "postgres";
import { codeOf } from "#server/base/thrown.ts";
import { startPostgres } from "#server/boot/engines/postgres.ts";
import { guardProcess } from "./guard-process.ts";
import { migrateTemplate } from "./migrate-template.ts";

type Kind = "platform" | "migrated" | "tenants";

/**
 * Puts a copy of a new cluster at `dataDir`, if there is a folder of templates, so that its start needs neither initdb
 * nor migrations, which take two seconds of processor time; returns true then. A `migrated` one is a migrated platform.
 */
export async function copyTemplate(kind: Kind, dataDir: string): Promise<boolean> {
  const { CLUSTER_TEMPLATES } = process.env;
  if (!CLUSTER_TEMPLATES) return false;
  const template = join(CLUSTER_TEMPLATES, kind);
  if (!existsSync(template)) await makeTemplate(kind, CLUSTER_TEMPLATES);
  mkdirSync(dirname(dataDir), { recursive: true });
  execFileSync("cp", ["-a", join(template, "data"), dataDir]);
  execFileSync("cp", ["-a", join(template, "password"), `${dataDir}.password`]);
  return true;
}

/** Several processes may do this at once; the first one's template is used. */
async function makeTemplate(kind: Kind, templates: string): Promise<void> {
  mkdirSync(templates, { recursive: true });
  const folder = mkdtempSync(join(templates, `${kind}-`));
  const name = kind === "tenants" ? "tenants" : "platform";
  const dataDir = join(folder, "new");
  const draft = join(folder, "draft");
  // Nothing may be written while the files are copied.
  const settings = { autovacuum: "off", max_wal_size: "64MB", min_wal_size: "32MB" };
  const cluster = await startPostgres({ name, dataDir, throwAway: true, settings });
  guardProcess(cluster.pid, "INT QUIT");
  if (kind === "migrated") await migrateTemplate(cluster.url());
  const sql = postgres(cluster.url(), { max: 1, fetch_types: false });
  await sql`checkpoint`;
  await sql.end();
  mkdirSync(draft);
  execFileSync("cp", ["-a", dataDir, join(draft, "data")]);
  execFileSync("cp", ["-a", `${dataDir}.password`, join(draft, "password")]);
  await cluster.stop();
  rmSync(join(draft, "data/postmaster.pid"));
  try {
    renameSync(draft, join(templates, kind));
  } catch (reason) {
    if (codeOf(reason) !== "ENOTEMPTY") throw reason;
  }
  rmSync(folder, { recursive: true, force: true });
}
