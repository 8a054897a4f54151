import { beforeAll, expect, test } from "vitest";
import { OBJECT_CASES } from "#server/testing/archive-cases/objects.ts";
import { TABLE_CASES } from "#server/testing/archive-cases/tables.ts";
import {
  exportArchive,
  importArchive,
  provisionDatabase,
  queryRows,
  runActions,
  startWithDatabases,
} from "#server/testing/transfers.ts";

const api = await startWithDatabases();

const CASES = { ...TABLE_CASES, ...OBJECT_CASES };

let source = "";
let target = "";

beforeAll(async () => {
  source = await provisionDatabase(api);
  target = await provisionDatabase(api);
  for (const { made } of Object.values(CASES)) await runActions(api, source, made);
  const imported = await importArchive(api, target, await exportArchive(api, source));
  expect(imported).toMatchObject({ status: "completed", error: null });
});

test.each(Object.entries(CASES))("carries %s", async (_, { asked, said }) => {
  expect(await queryRows(api, source, asked)).toEqual(said);
  expect(await queryRows(api, target, asked)).toEqual(said);
});

test("exports an imported database as it was imported", async () => {
  const again = await provisionDatabase(api);
  const archive = await exportArchive(api, target);
  expect(await importArchive(api, again, archive)).toMatchObject({ status: "completed" });
  const left = Object.entries(CASES).map(async ([name, { asked, said }]) => [
    name,
    await queryRows(api, again, asked),
    said,
  ]);
  for (const [name, rows, said] of await Promise.all(left)) expect([name, rows]).toEqual([name, said]);
});
