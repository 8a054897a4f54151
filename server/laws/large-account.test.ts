import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { toUuid } from "#server/base/ids.ts";
import { startApi } from "#server/testing/api.ts";
import { growAccounts, pagesOf, rowsSql } from "#server/testing/large-account.ts";
import { pagesOfEach } from "#server/testing/pages-read.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";

const CALLS = 40;
const tenants = await startTenantCluster();
afterAll(tenants.drop);
const api = await startApi({ settings: { tenantClusters: [tenants.cluster] } });

async function makeAccount(rows: number) {
  const { key, apiKey, accountId } = await api.createRootKey();
  const leaf = await api.createChild(key);
  const project = (await api.send("POST", "/v1/projects", { key, body: { name: "Shop" } })).body.project.id;
  await api.send("POST", "/v1/databases/account", { key, body: {} });
  const actions = [
    { type: "sql", sql: rowsSql(rows) },
    { type: "sql", sql: "alter table orders add primary key (id)" },
  ];
  const body = { actions, timeoutMs: 60_000 };
  expect((await api.send("POST", "/v1/databases/actions", { key, body })).status).toBe(200);
  const pages = pagesOf({ root: apiKey.id, project });
  return {
    ids: {
      account: toUuid("account", accountId),
      root: toUuid("apiKey", apiKey.id),
      project: toUuid("project", project),
    },
    /** Returns how long the page takes, in milliseconds. */
    async read(name: string) {
      const { method, path, body, byLeaf } = defined(pages[name]);
      const started = performance.now();
      const { status } = await api.send(method, path, { key: byLeaf ? leaf.key : key, body });
      expect(status).toBe(200);
      return performance.now() - started;
    },
    /** How many keys there are, as the list says it. */
    async countKeys() {
      return (await api.mustSend(200, "GET", "/v1/api-keys?limit=1&total=include", { key })).total;
    },
  };
}

let small: Awaited<ReturnType<typeof makeAccount>>;
let large: Awaited<ReturnType<typeof makeAccount>>;
beforeAll(async () => {
  [small, large] = [await makeAccount(1000), await makeAccount(1_000_000)];
  const sql = postgres(api.databaseUrl, { max: 1, onnotice: () => undefined });
  await growAccounts(sql, [
    { ...small.ids, events: 1000, keys: 1000 },
    { ...large.ids, events: 1_000_000, keys: 100_000 },
  ]);
  await sql.end({ timeout: 5 });
});

test("counts the rows of a list up to a bound, and says that there are more", async () => {
  expect(await large.countKeys()).toEqual({ count: 1000, more: true });
  expect(await small.countKeys()).toEqual({ count: 1000, more: true });
  const { key } = await api.createRootKey();
  const { total } = await api.mustSend(200, "GET", "/v1/api-keys?limit=1&total=include", { key });
  expect(total).toEqual({ count: 1, more: false });
});

const names = Object.keys(pagesOf({ root: "", project: "" }));
/** Most of its pages are read in another cluster, whose reads are not counted. */
const isOfDatabase = (name: string) => name.endsWith("of a managed database");

/** Among a thousand there may be fewer rows to show, each of them ten pages; a scan reads thousands. */
const MORE_PAGES = 1000;

test.for(names.filter((name) => !isOfDatabase(name)))(
  "%s: as few reads among a million as among a thousand",
  async (name) => {
    await small.read(name);
    await large.read(name);
    const [few, many] = await pagesOfEach(api, [() => small.read(name), () => large.read(name)]);
    expect(many).toBeLessThan(defined(few) + MORE_PAGES);
  },
);

const median = (values: number[]) => defined(values.toSorted((a, b) => a - b)[values.length / 2]);

// Twice as long is more than noise adds to a median of alternating calls, and far less than a scan would take.
test.for(names.filter(isOfDatabase))("%s: as quick among a million as among a thousand", async (name) => {
  const ratio = async () => {
    const times = { small: [] as number[], large: [] as number[] };
    for (let nth = 0; nth < CALLS; nth++) {
      times.small.push(await small.read(name));
      times.large.push(await large.read(name));
    }
    return median(times.large) / median(times.small);
  };
  await expect.poll(ratio).toBeLessThan(2);
});
