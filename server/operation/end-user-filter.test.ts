import { expect, test } from "vitest";
import { z } from "zod";
import { defined } from "#server/base/defined.ts";
import { toUuid } from "#server/base/ids.ts";
import { keysOf } from "#server/base/keys-of.ts";
import { operations } from "#server/operations.ts";
import { addCopies } from "#server/testing/add-copies.ts";
import { startApi } from "#server/testing/api.ts";
import { signInMember } from "#server/testing/console.ts";
import { createPayingKey, invokeMemory } from "#server/testing/credits.ts";
import { pagesRead } from "#server/testing/pages-read.ts";
import { createResource } from "#server/testing/resources.ts";
import { storeWorkflow } from "#server/testing/stored-workflows.ts";
import { remember, triggersDo } from "#server/testing/triggers.ts";

const api = await startApi();

/** Each list of the API, the name of its rows, and the path parameter that names one of them. */
const LISTS = {
  "/api-keys": { rows: "apiKeys", param: null },
  "/approvals": { rows: "approvals", param: "approvalId" },
  "/artifacts": { rows: "artifacts", param: "artifactId" },
  "/connections": { rows: "connections", param: "connectionId" },
  "/files": { rows: "files", param: "fileId" },
  "/runs": { rows: "runs", param: "runId" },
  "/swaps": { rows: "swaps", param: "swapId" },
  "/trading/orders": { rows: "orders", param: "orderId" },
  "/wallets": { rows: "wallets", param: "walletId" },
  "/webhooks": { rows: "webhooks", param: "webhookId" },
} as const;

/** The lists of the console, and the names of their rows. */
const CONSOLE_LISTS = {
  "memories.list": "memories",
  "triggers.list": "triggers",
  "workflows.list": "workflows",
} as const;

type Ids = Record<string, string>;

/** Creates a resource of each list for an end user; returns their ids by list, and the key that is bound to them. */
async function serve(root: string, endUser: string) {
  const { key, apiKey } = await api.createChild(root, { endUser });
  const made: Ids = { "/api-keys": apiKey.id };
  for (const [path, { param }] of Object.entries(LISTS))
    if (param !== null) made[path] = await createResource(api, key, param);
  const memory = await invokeMemory(api, key, "put", { content: "Earl Grey" });
  made["memories.list"] = memory.body.result.memory.id;
  made["workflows.list"] = (await storeWorkflow(api, key, "tea", [{ id: "a", type: "wait", seconds: 1 }])).id;
  const on = { cron: "0 3 * * *", timezone: "UTC" };
  const put = await triggersDo(api, key, "put", { name: "nightly", on, start: remember });
  made["triggers.list"] = put.trigger.id;
  return { key, made };
}

/** Returns the rows that a list has for an end user. */
async function listed(key: string, path: keyof typeof LISTS, endUser: string): Promise<{ id: string }[]> {
  const body = await api.mustSend(200, "GET", `/v1${path}?endUser=${encodeURIComponent(endUser)}`, { key });
  return body[LISTS[path].rows];
}

const paths = keysOf(LISTS);
const consoleLists = keysOf(CONSOLE_LISTS);

test("filters each list by an end user of the account", async () => {
  const { key, accountId } = await createPayingKey(api, 100);
  const stranger = await createPayingKey(api, 100);
  const [ada, bob] = [await serve(key, "ada"), await serve(key, "bob's 100%")];
  await serve(stranger.key, "ada");
  for (const path of paths) {
    const rowsOf = (endUser: string) => listed(key, path, endUser);
    expect(await rowsOf("ada"), path).toMatchObject([{ id: ada.made[path], endUser: "ada" }]);
    expect(await rowsOf("bob's 100%"), path).toMatchObject([{ id: bob.made[path], endUser: "bob's 100%" }]);
    expect(await rowsOf("Ada"), path).toEqual([]);
    expect(await rowsOf(""), path).toEqual([]);
  }
  const viewer = await signInMember(api, accountId, "developer");
  for (const list of consoleLists) {
    const rowsOf = async (endUser: string) =>
      (await viewer.query(list, { endUser })).data[CONSOLE_LISTS[list]];
    expect(await rowsOf("ada"), list).toMatchObject([{ id: ada.made[list], endUser: "ada" }]);
    expect(await rowsOf("Ada"), list).toEqual([]);
  }
});

test("filters requests, usage and positions by an end user of the account", async () => {
  const { key } = await createPayingKey(api, 100);
  for (const endUser of ["ada", "bob"]) {
    const headers = { "x-service-end-user": endUser };
    await api.mustSend(201, "POST", "/v1/wallets", { key, headers, body: { label: "Savings" } });
    await api.mustSend(200, "GET", "/v1/runs", { key, headers });
  }
  const operationsOf = async (endUser: string) =>
    (await api.mustSend(200, "GET", `/v1/audit-events?endUser=${endUser}`, { key })).auditEvents.map(
      ({ operation }: { operation: string }) => operation,
    );
  expect(await operationsOf("ada")).toEqual(["runs.list", "wallets.create"]);
  expect(await operationsOf("eve")).toEqual([]);
  const requests = async (endUser: string) =>
    (await api.mustSend(200, "GET", `/v1/usage?endUser=${endUser}`, { key })).usage.totals.requests;
  expect(await requests("ada")).toBe(2);
  expect(await requests("eve")).toBe(0);
  const { positions } = await api.mustSend(200, "GET", "/v1/trading/positions?endUser=ada", { key });
  expect(positions).toEqual([]);
});

test("shows a caller who acts for an end user nothing of another one", async () => {
  const { key } = await createPayingKey(api, 100);
  await serve(key, "ada");
  const bound = await api.createChild(key, { endUser: "bob" });
  for (const path of paths) expect(await listed(bound.key, path, "ada"), path).toEqual([]);
  const { auditEvents } = await api.mustSend(200, "GET", "/v1/audit-events?endUser=ada", { key: bound.key });
  expect(auditEvents).toEqual([]);
  const usage = await api.mustSend(200, "GET", "/v1/usage?endUser=ada", { key: bound.key });
  expect(usage.usage.totals.requests).toBe(0);
  const own = await api.mustSend(200, "GET", "/v1/usage?endUser=bob", { key: bound.key });
  expect(own.usage.totals.requests).toBeGreaterThan(0);
});

test("reads few pages for an end user who has little of an account's much", async () => {
  const { key, accountId } = await createPayingKey(api, 100);
  const ada = await serve(key, "ada");
  const dear: string[] = [];
  for (const [path, table] of [
    ["/approvals", "approvals"],
    ["/artifacts", "artifacts"],
    ["/connections", "connections"],
    ["/swaps", "swaps"],
    ["/trading/orders", "orders"],
  ] as const) {
    await addCopies(api, { table, account: String(toUuid("account", accountId)), count: 20_000 });
    expect(await listed(key, path, "ada"), path).toMatchObject([{ id: ada.made[path] }]);
    const pages = await pagesRead(api, () => listed(key, path, "ada"));
    // All rows of the account have more than 300 pages.
    if (pages > 200) dear.push(`${path}: ${pages} pages`);
  }
  expect(dear).toEqual([]);
});

/** Lists whose rows name an end user, and that need no filter. */
const WITHOUT_FILTER = [
  // An entry for each delivery would be dear, and the events of a webhook are filtered by their names.
  "webhookDeliveries.list",
  // The levels of a tree.
  "apiKeys.children.list",
  // Only people have an address book: no contact is made for an end user.
  "wallets.contacts.list",
];

test("every list whose rows name an end user filters by it", () => {
  const namesEndUser = (output: z.ZodType) => {
    const { properties = {}, $defs = {} } = z.toJSONSchema(output, { unrepresentable: "any" });
    return Object.values(properties).some((rows) => {
      if (typeof rows !== "object" || rows.type !== "array" || typeof rows.items !== "object") return false;
      const { $ref, properties: own } = rows.items as z.core.JSONSchema.BaseSchema;
      const row = $ref ? $defs[defined($ref.split("/").at(-1))] : { properties: own };
      return row?.properties?.endUser !== undefined;
    });
  };
  const without = operations.filter(
    ({ id, path, query, output }) =>
      // Below a path, all rows belong to the resource that the path names.
      id.endsWith(".list") && !path.includes("{") && namesEndUser(output) && !query?.shape.endUser,
  );
  expect(without.map(({ id }) => id)).toEqual(WITHOUT_FILTER);
});
