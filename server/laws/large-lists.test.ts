import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { idOf, toUuid } from "#server/base/ids.ts";
import { startApi } from "#server/testing/api.ts";
import { signUpAndIn } from "#server/testing/console.ts";
import { addManyResources } from "#server/testing/many-resources.ts";
import { pagesRead } from "#server/testing/pages-read.ts";
import type { Person } from "#server/testing/search.ts";

const api = await startApi();
const sql = postgres(api.databaseUrl, { max: 1, onnotice: () => undefined });
afterAll(() => sql.end({ timeout: 5 }));

async function makeAccount(count: number) {
  const person = await signUpAndIn(api);
  const { data } = await person.mutate("projects.create", { name: "Grown" });
  await person.mutate("apiKeys.create", { label: "Root", scopes: ["projects:read"] });
  const account = toUuid("account", person.accountId);
  const project = toUuid("project", data.project.id);
  await addManyResources(sql, { account, project, count });
  return { person, ids: { account, project } };
}

let small: Awaited<ReturnType<typeof makeAccount>>;
let large: Awaited<ReturnType<typeof makeAccount>>;
beforeAll(async () => {
  [small, large] = [await makeAccount(1000), await makeAccount(100_000)];
});

type Ids = { account: string; project: string };
const PERIOD = { from: "2020-01-01T00:00:00.000Z", to: "2100-01-01T00:00:00.000Z" };

/** The queries of each list: what its page sends for each search, filter and order. */
const QUERIES: Record<string, (ids: Ids) => Record<string, unknown>[]> = {
  "projects.list": () => [
    {},
    { total: "include" },
    { sort: "name" },
    { sort: "-name" },
    { sort: "createdAt" },
    { status: "active" },
    { status: "archived" },
    PERIOD,
    { search: "shop" },
    { search: "number 7" },
    { search: "none such" },
    { search: "shop", sort: "-name", total: "include" },
  ],
  "files.list": ({ project }) => [
    {},
    { total: "include" },
    { sort: "name" },
    { sort: "-name" },
    { sort: "createdAt" },
    PERIOD,
    { purpose: "never" },
    { name: "invoice of depot 7.pdf" },
    { projectId: idOf("project", project) },
    { endUser: "user of depot 7" },
    { search: "depot" },
    { search: "none such" },
    { search: "shop", sort: "-name", total: "include" },
  ],
  "runs.list": ({ project }) => [
    {},
    { total: "include" },
    { sort: "createdAt" },
    PERIOD,
    { status: "succeeded" },
    { status: "failed" },
    { status: "failed", total: "include" },
    { status: "running" },
    { status: "awaiting_approval", sort: "createdAt" },
    { serviceId: "managed-workflows" },
    { serviceId: "managed-memory" },
    { serviceId: "managed-memory", operationId: "put" },
    { projectId: idOf("project", project) },
    { endUser: "user of depot 7" },
    { tag: "never" },
    { parentId: idOf("run", project) },
    { retryOf: idOf("run", project) },
    { triggerId: idOf("trigger", project) },
    { search: "shop" },
    { search: "none such" },
    { search: "depot 7", status: "failed" },
  ],
  "endUsers.list": () => [
    {},
    { total: "include" },
    { sort: "externalId" },
    { sort: "-externalId" },
    { sort: "createdAt" },
    PERIOD,
    { externalId: "user of depot 7" },
    { search: "depot" },
    { search: "none such" },
    { search: "shop", sort: "-externalId", total: "include" },
  ],
};

/**
 * How many pages more than among a thousand rows a list may read; a scan of the runs reads 5,600. Not asked: a search that
 * half of the rows match in an order in which the other half comes first. No index serves both; it reads 11,000.
 */
const MORE_PAGES = 2000;

test.for(Object.keys(QUERIES))("%s reads few pages, whatever it is asked", async (list) => {
  const queriesOf = defined(QUERIES[list]);
  const pagesOf = ({ person }: { person: Person }, query: object) =>
    pagesRead(api, async () => {
      const { status, error } = await person.query(list, query);
      expect(status, JSON.stringify([list, query, error])).toBe(200);
    });
  const dear: string[] = [];
  for (const [nth, query] of queriesOf(large.ids).entries()) {
    const few = await pagesOf(small, defined(queriesOf(small.ids)[nth]));
    const many = await pagesOf(large, query);
    if (many > few + MORE_PAGES) dear.push(`${JSON.stringify(query)}: ${many} pages, not ${few}`);
  }
  expect(dear).toEqual([]);
});
