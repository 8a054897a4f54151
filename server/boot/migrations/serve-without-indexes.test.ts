import { readFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { missingIndexes, readMigrations } from "#db/migration-files.ts";
import { defined } from "#server/base/defined.ts";
import { createOldDatabase } from "#server/testing/old-database.ts";
import { startProduction, THIS_RELEASE } from "#server/testing/production.ts";
import { OUR_SOURCES } from "../migrate.ts";

test("a release serves while the build of its indexes waits for a forgotten transaction, and another process goes on", async () => {
  const old = await createOldDatabase("serve_without_indexes");
  await old.migrateTo("0062_found_by_parts");
  const person = postgres(old.url, { max: 2, connection: { application_name: "psql" } });
  onTestFinished(() => person.end());
  const forgotten = await person.reserve();
  await forgotten`begin isolation level repeatable read`;
  const [{ pid }] = await forgotten<[{ pid: number }]>`select pg_backend_pid() as pid`;
  const invalid = () => person`
    select indexrelid::regclass::text as name from pg_index where not indisvalid`;

  const production = await startProduction({ databaseUrl: old.url, webs: 2 });
  const [first, second] = production.ports.map((port) => ({
    start: () => production.startWeb(THIS_RELEASE, port),
    health: async () => (await fetch(`http://127.0.0.1:${port}/health`)).status,
    log: () => readFileSync(join(production.folder, `web-${port}.log`), "utf8"),
  }));
  const waiting = expect.stringMatching(
    `"message":"The build of an index waits for an older transaction; end it if it is forgotten.","pid":${pid},"application":"psql","state":"idle in transaction","seconds":\\d+}`,
  );
  const building = await defined(first).start();
  await expect.poll(defined(first).health).toBe(200);
  await expect.poll(defined(first).log).toEqual(waiting);
  await expect.poll(invalid).toEqual([{ name: "files_id_end" }]);
  await building.stop("SIGKILL");

  const next = await defined(second).start();
  await expect.poll(defined(second).health).toBe(200);
  await expect.poll(defined(second).log).toEqual(waiting);
  const credits = await production.createAccount(THIS_RELEASE, 100);
  expect(credits.creditToken).toMatch(/^svc_credit_/);
  await forgotten`commit`;
  forgotten.release();
  await expect.poll(() => missingIndexes(person, readMigrations(OUR_SOURCES.migrations))).toEqual([]);
  expect(await invalid()).toEqual([]);
  expect(await next.stop()).toEqual([0, null]);
  expect(production.errors()).toEqual([]);
  production.forget();
});
