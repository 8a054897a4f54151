import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createRun, runWith, startRuns } from "#server/testing/runs.ts";

const api = await startApi();
const { key } = await createPayingKey(api, 1000);
const put = { serviceId: "managed-memory", operationId: "put", input: { content: "Tagged." } };

async function tagged(...tags: string[]) {
  const { status, body } = await createRun(api, key, { ...put, tags });
  expect({ status, tags: body.run.tags }).toEqual({ status: 202, tags: tags.map((tag) => tag.trim()) });
  return body.run;
}

const list = (query: string, by = key) => api.send("GET", `/v1/runs?${query}`, { key: by });
const idsOf = async (query: string, by = key) =>
  (await list(query, by)).body.runs.map(({ id }: { id: string }) => id);

test("finds runs by a tag, page by page, and those created after a moment", async () => {
  const one = await tagged("import", "ada");
  const two = await tagged(" import ");
  const other = await tagged("export");
  expect(await idsOf("tag=import")).toEqual([two.id, one.id]);
  expect(await idsOf("tag=impo")).toEqual([]);
  expect(await idsOf("tag=import&status=failed")).toEqual([]);
  const { body: page } = await list("tag=import&limit=1");
  expect(await idsOf(`tag=import&limit=1&cursor=${page.nextCursor}`)).toEqual([one.id]);
  expect((await list(`tag=export&limit=1&cursor=${page.nextCursor}`)).status).toBe(400);
  expect(await idsOf(`createdAfter=${two.createdAt}`)).toEqual([other.id]);
  expect(await idsOf(`createdAfter=${two.createdAt}&tag=import`)).toEqual([]);
});

test("keeps the tags of one account from another", async () => {
  await tagged("shared");
  const stranger = await createPayingKey(api, 100);
  expect(await idsOf("tag=shared", stranger.key)).toEqual([]);
});

test("refuses tags that are empty, too long, too many, or sent twice", async () => {
  for (const tags of [[" "], ["a".repeat(65)], Array.from({ length: 11 }, String), ["a", " a"]]) {
    const { status, body } = await createRun(api, key, { ...put, tags });
    expect(status).toBe(400);
    expect(body.error.issues[0].path).toMatch(/^body\.tags/);
  }
});

test("gives a retry the tags of its run", async () => {
  const worker = await startRuns(api);
  const before = await tagged("kept");
  await runWith(api, key, before.id, "succeeded");
  const { body } = await api.send("POST", `/v1/runs/${before.id}/retry`, { key, body: {} });
  expect(body.run.tags).toEqual(["kept"]);
  expect(await idsOf("tag=kept")).toEqual([body.run.id, before.id]);
  await worker.stop();
});
