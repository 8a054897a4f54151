import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { inject } from "vitest";

/** A migrated database of one test file's own, cloned from the template; `drop` ends its connections. */
export async function createTestDatabase() {
  const admin = inject("postgresUrl");
  const name = `test_${randomBytes(8).toString("hex")}`;

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
