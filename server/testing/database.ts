import { randomBytes } from "node:crypto";
import { relative } from "node:path";
import postgres from "postgres";
import { expect, inject } from "vitest";

/** The maximum length of a file's path in its databases' names, which have at most 63 characters in PostgreSQL. */
const FILE_CHARACTERS = 40;

/** Returns the test file's path in the form of a database's name. */
function currentFile(): string {
  const path = relative(process.cwd(), expect.getState().testPath ?? "").replace(/\.test\.tsx?$/, "");
  return path
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .slice(-FILE_CHARACTERS);
}

/** Creates a migrated database for one test file, cloned from the template; `drop` ends its connections. */
export async function createTestDatabase() {
  const admin = inject("postgresUrl");
  const name = `test_${currentFile()}_${randomBytes(6).toString("hex")}`;

  async function run(statement: string) {
    const sql = postgres(admin, { max: 1, fetch_types: false, onnotice: () => undefined });
    await sql.unsafe(statement).finally(() => sql.end({ timeout: 5 }));
  }

  // Nothing is flushed in this cluster, so that copying files takes half the time of logging their pages.
  await run(`create database ${name} template ${inject("templateDatabase")} strategy file_copy`);
  return {
    url: admin.replace(/[^/]*$/, name),
    drop: () => run(`drop database if exists ${name} with (force)`),
  };
}
