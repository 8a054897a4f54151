import { expect, test } from "vitest";
import { startAgents } from "#server/testing/agents.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { eventually } from "#server/testing/eventually.ts";
import { createRun } from "#server/testing/runs.ts";
import { triggersDo } from "#server/testing/triggers.ts";

const { api, turns, start } = await startAgents();
const MEGABYTE = "x".repeat(1_000_000);

/** Returns the ids of each page of a list whose pages would have room for all. */
async function pagesOf(list: (cursor?: string) => Promise<{ ids: string[]; nextCursor: string | null }>) {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const { ids, nextCursor } = await list(cursor);
    pages.push(ids);
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  return pages;
}

const idsOf = (items: { id: string }[]) => items.map(({ id }) => id);

async function listed(key: string, path: string, field: string, query: Record<string, string> = {}) {
  return pagesOf(async (cursor) => {
    const search = new URLSearchParams({ limit: "100", ...query, ...(cursor !== undefined && { cursor }) });
    const body = await api.mustSend(200, "GET", `/v1/${path}?${search}`, { key });
    return { ids: idsOf(body[field]), nextCursor: body.nextCursor };
  });
}

test("a page of runs or triggers ends before its content is too large, and the next one begins there", async () => {
  const { key } = await createPayingKey(api, 1000);
  const later = { startAt: new Date(Date.now() + 3_600_000).toISOString() };
  const workflow = { name: "Later", steps: [{ id: "wait", type: "wait", seconds: 1 }] };
  const execute = {
    serviceId: "managed-workflows",
    operationId: "execute",
    input: { workflow, input: { text: MEGABYTE.slice(0, 900_000) } },
  };
  const [runs, triggers]: string[][] = [[], []];
  for (const nth of [1, 2, 3, 4, 5, 6]) {
    runs?.unshift((await createRun(api, key, { ...execute, ...later })).body.run.id);
    const on = { cron: "0 0 1 1 *", timezone: "UTC" };
    const { trigger } = await triggersDo(api, key, "put", { name: `trigger-${nth}`, on, start: execute });
    triggers?.unshift(trigger.id);
  }
  const two = (ids: string[] = []) => [ids.slice(0, 4), ids.slice(4)];
  for (const timeline of ["include", "exclude"])
    expect(await listed(key, "runs", "runs", { timeline })).toEqual(two(runs));
  const listTriggers = (cursor?: string) =>
    triggersDo(api, key, "list", { limit: 100, ...(cursor !== undefined && { cursor }) });
  const pages = await pagesOf(async (cursor) => {
    const { triggers, nextCursor } = await listTriggers(cursor);
    return { ids: idsOf(triggers), nextCursor };
  });
  expect(pages).toEqual(two(triggers));
});

test("a page of approvals ends before its payloads are too large, and the next one begins there", async () => {
  const { key } = await createPayingKey(api, 1000);
  const call = { name: "services_invoke_managed-memory_put", arguments: { input: { content: MEGABYTE } } };
  turns({ toolCalls: [call] });
  for (let nth = 0; nth < 5; nth++) await start(key, { tools: ["services.invoke.managed-memory.put"] });
  const pages = await eventually(async () => {
    const found = await listed(key, "approvals", "approvals");
    return found.flat().length === 5 ? found : undefined;
  });
  expect(pages.map((ids) => ids.length)).toEqual([4, 1]);
  expect(pages.flat()).toEqual(pages.flat().toSorted().toReversed());
});
