import { expect, test } from "vitest";
import { type Answered, startApi } from "#server/testing/api.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { startLossyDatabase } from "#server/testing/lossy-database.ts";

const database = await createTestDatabase();
const lossy = await startLossyDatabase(database.url, /admit\(/);
const api = await startApi({ database: { url: lossy.url, drop: database.drop } });

test("uses no answer of another query to admit a call", async () => {
  const callers = await Promise.all([api.createRootKey(), api.createRootKey(), api.createRootKey()]);
  const own = new Map<string, string>();
  for (const { key } of callers) {
    const { body } = await api.send("POST", "/v1/projects", { key, body: { name: "Own" } });
    own.set(key, body.project.id);
  }
  const list = async (key: string) => [key, await api.send("GET", "/v1/projects", { key })] as const;
  const answers: (readonly [string, Answered])[] = [];
  for (let round = 0; round < 8; round++) {
    lossy.lose();
    const asked = [];
    for (const { key } of callers) {
      asked.push(list(key));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    answers.push(...(await Promise.all(asked)));
  }
  const statuses = answers.map(([, { status }]) => status);
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(statuses).toContain(503);
  expect(statuses).toContain(200);
  for (const [key, { status, body }] of answers) {
    if (status === 200) expect(body.projects).toEqual([expect.objectContaining({ id: own.get(key) })]);
    else expect(body.error.operationState).toBe("not_started");
  }
});
