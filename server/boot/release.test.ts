import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { startServer } from "#server/testing/server-process.ts";
import { migrate } from "./migrate.ts";

const folder = mkdtempSync(join(tmpdir(), "release-"));
const database = await createTestDatabase();
const url = await migrate(database.url);
const api = await startApi({ database: { url, drop: database.drop }, settings: { blobs: { folder } } });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the sources of a release whose functions have other parameters. */
function nextRelease() {
  const [migrations, functions] = ["migrations", "functions"].map((name) => {
    const path = join(folder, name);
    cpSync(fileURLToPath(new URL(`../../db/${name}`, import.meta.url)), path, { recursive: true });
    return path;
  });
  if (!migrations || !functions) throw new Error("Nothing was copied.");
  writeFileSync(
    join(functions, "zz-next.sql"),
    "drop function if exists admit(jsonb, uuid);\ncreate or replace function admit(p_next int) returns int language sql as 'select p_next';\n",
  );
  return { migrations, functions };
}

test("a running process answers every call while a release migrates that drops functions it calls", async () => {
  const { key } = await api.createRootKey();
  const { origin } = await startServer(url, folder);
  let migrated = false;
  const answers = { before: 0, after: 0 };
  const call = async (nth: number) => {
    const response = await fetch(`${origin}/v1/projects`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "idempotency-key": unique("call"),
      },
      body: JSON.stringify({ name: unique(`project-${nth}`) }),
    });
    expect(response.status).toBe(201);
    answers[migrated ? "after" : "before"]++;
  };
  const enough = () => answers.before >= 20 && answers.after >= 20;
  const callers = [1, 2, 3].map(async (nth) => {
    while (!enough()) await call(nth);
  });
  await expect.poll(() => answers.before).toBeGreaterThanOrEqual(20);
  await migrate(database.url, { sources: nextRelease() });
  migrated = true;
  await Promise.all(callers);
});
