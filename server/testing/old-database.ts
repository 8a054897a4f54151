import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { inject } from "vitest";
import { migrate } from "#server/boot/migrate.ts";
import { onCleanup } from "./cleanup.ts";

/** Creates an empty database named `test_…`, to be migrated to an earlier release. It ends with the test. */
export async function createOldDatabase(name: string) {
  const admin = inject("postgresUrl");
  const database = `test_${name}_${process.pid}`;
  const server = postgres(admin, { max: 1, onnotice: () => undefined });
  await server.unsafe(`create database ${database}`);
  const folder = mkdtempSync(join(tmpdir(), "old-migrations-"));
  onCleanup(async () => {
    await server.unsafe(`drop database ${database} with (force)`);
    await server.end();
    rmSync(folder, { recursive: true });
  });
  cpSync(fileURLToPath(new URL("../../db/migrations", import.meta.url)), folder, { recursive: true });
  const journalFile = join(folder, "meta/_journal.json");
  const journal: { entries: { tag: string }[] } = JSON.parse(readFileSync(journalFile, "utf8"));
  const url = admin.replace(/[^/]*$/, database);
  return {
    url,
    /** All migrations, oldest first. */
    tags: journal.entries.map(({ tag }) => tag),
    /** Applies the migrations up to and including this one, without any functions. */
    async migrateTo(tag: string) {
      const end = journal.entries.findIndex((entry) => entry.tag === tag) + 1;
      writeFileSync(journalFile, JSON.stringify({ ...journal, entries: journal.entries.slice(0, end) }));
      await migrate(url, { sources: { migrations: folder, functions: join(folder, "none") } });
    },
  };
}
