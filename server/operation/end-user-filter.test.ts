import { expect, test } from "vitest";
import { defined } from "#server/defined.ts";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";

const api = await startApi();

const LISTS: Record<string, string> = {
  "/api-keys": "apiKeys",
  "/files": "files",
  "/runs": "runs",
  "/wallets": "wallets",
  "/audit-events": "auditEvents",
};

/** Creates a resource of each list for an end user; returns the ids in the order of `LISTS`, without the requests'. */
async function serve(key: string, endUser: string): Promise<string[]> {
  const headers = { "x-service-end-user": endUser };
  const run = { serviceId: "managed-memory", operationId: "list", input: {} };
  const device = { label: "Device", scopes: ["projects:read"], endUser };
  const file = { ...headers, "x-file-name": "tea.txt" };
  const made = [
    await api.mustSend(201, "POST", "/v1/api-keys", { key, body: device }),
    await api.mustSend(201, "POST", "/v1/files", { key, headers: file, bytes: Buffer.from("Tea") }),
    await api.mustSend(202, "POST", "/v1/runs", { key, headers, body: run }),
    await api.mustSend(201, "POST", "/v1/wallets", { key, headers, body: { label: "Savings" } }),
  ];
  return made.map(({ apiKey, file, run, wallet }) => (apiKey ?? file ?? run ?? wallet).id);
}

/** Returns the ids that a list has for an end user. */
async function listed(key: string, path: string, endUser: string): Promise<string[]> {
  const query = `endUser=${encodeURIComponent(endUser)}`;
  const body = await api.mustSend(200, "GET", `/v1${path}?${query}`, { key });
  return body[defined(LISTS[path])].map(({ id }: { id: string }) => id);
}

test("filters keys, files, runs, wallets, requests and usage by an end user of the account", async () => {
  const { key } = await createPayingKey(api, 100);
  const stranger = await createPayingKey(api, 100);
  const [ada, bob] = [await serve(key, "ada"), await serve(key, "bob's 100%")];
  await serve(stranger.key, "ada");
  for (const [nth, path] of Object.keys(LISTS).slice(0, 4).entries()) {
    expect(await listed(key, path, "ada"), path).toEqual([ada[nth]]);
    expect(await listed(key, path, "bob's 100%"), path).toEqual([bob[nth]]);
    expect(await listed(key, path, "Ada"), path).toEqual([]);
    expect(await listed(key, path, ""), path).toEqual([]);
  }
  expect(await listed(key, "/audit-events", "ada")).toHaveLength(3);
  expect(await listed(key, "/audit-events", "eve")).toEqual([]);
  const requests = async (search: string) =>
    (await api.mustSend(200, "GET", `/v1/usage?${search}`, { key })).usage.totals.requests;
  expect(await requests("endUser=ada")).toBe(3);
  expect(await requests("endUser=eve")).toBe(0);
});

test("shows a caller who acts for an end user nothing of another one", async () => {
  const { key } = await createPayingKey(api, 100);
  await serve(key, "ada");
  const bound = await api.createChild(key, { endUser: "bob" });
  for (const path of Object.keys(LISTS)) expect(await listed(bound.key, path, "ada"), path).toEqual([]);
  const usage = await api.mustSend(200, "GET", "/v1/usage?endUser=ada", { key: bound.key });
  expect(usage.usage.totals.requests).toBe(0);
  const own = await api.mustSend(200, "GET", "/v1/usage?endUser=bob", { key: bound.key });
  expect(own.usage.totals.requests).toBeGreaterThan(0);
});
