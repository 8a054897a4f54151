import { randomBytes } from "node:crypto";
import { relative } from "node:path";
import postgres from "postgres";
import { expect, inject } from "vitest";

/** Most characters of a file's path in its databases' names, of the 63 that PostgreSQL takes. */
const FILE_CHARACTERS = 40;

/** The test file's path, as it may stand in the name of a database. */
function currentFile(): string {
  const path = relative(process.cwd(), expect.getState().testPath ?? "").replace(/\.test\.tsx?$/, "");
  return path
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .slice(-FILE_CHARACTERS);
}

/** A migrated database of one test file's own, cloned from the template; `drop` ends its connections. */
export async function createTestDatabase() {
  const admin = inject("postgresUrl");
  const name = `test_${currentFile()}_${randomBytes(6).toString("hex")}`;

  async function run(statement: string) {
    const sql = postgres(admin, { max: 1, onnotice: () => undefined });
    await sql.unsafe(statement).finally(() => sql.end({ timeout: 5 }));
  }

  await run(`create database ${name} template ${inject("templateDatabase")}`);
  return {
    url: admin.replace(/[^/]*$/, name),
    drop: () => run(`drop database if exists ${name} with (force)`),
  };
}
