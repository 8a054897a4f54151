import { expect, test } from "vitest";
import { operations } from "#server/operations.ts";
import { startApi } from "#server/testing/api.ts";
import { signUpAndIn } from "#server/testing/console.ts";
import { OF_ACCOUNT } from "./console-router.ts";

const api = await startApi();

/** Creates a person whose account has two projects, each with a connection. */
async function personOfTwo() {
  const ada = await signUpAndIn(api);
  const make = async (name: string) => {
    const { project } = (await ada.mutate("projects.create", { name })).data;
    const within = { "x-service-project": project.id };
    const body = {
      label: name,
      provider: "Shipping",
      authType: "bearer",
      secret: "s3cret-of-it",
      allowedHosts: ["api.example.com"],
    };
    const made = await ada.mutate("connections.create", body, within);
    expect(made.status, JSON.stringify(made.error)).toBe(200);
    return { id: project.id, within, connection: made.data.connection };
  };
  return { ada, shop: await make("Shop"), desk: await make("Desk") };
}

test("shows a person only the chosen project's resources, and creates new ones in it", async () => {
  const { ada, shop, desk } = await personOfTwo();
  expect(shop.connection.projectId).toBe(shop.id);
  const list = (headers = {}) => ada.query("connections.list", {}, headers);
  expect((await list(shop.within)).data.connections).toEqual([shop.connection]);
  expect((await list(desk.within)).data.connections).toEqual([desk.connection]);
  expect((await list()).data.connections).toEqual([desk.connection, shop.connection]);
  const read = { connectionId: shop.connection.id };
  expect(await ada.query("connections.read", read, desk.within)).toMatchObject({
    status: 404,
    error: { code: "not_found" },
  });
});

test("does not affect the account's own resources, whatever project is chosen", async () => {
  const { ada, shop, desk } = await personOfTwo();
  const { data } = await ada.query("projects.list", {}, shop.within);
  expect(data.projects.map(({ id }: { id: string }) => id)).toEqual([desk.id, shop.id]);
  const renamed = await ada.mutate("projects.update", { projectId: desk.id, name: "Till" }, shop.within);
  expect(renamed.data.project.name).toBe("Till");
  expect((await ada.query("members.list", {}, shop.within)).data.members).toHaveLength(1);
});

test("takes the project that a call itself names before the chosen one", async () => {
  const { ada, shop, desk } = await personOfTwo();
  const body = { label: "Till", scopes: ["projects:read"], projectId: desk.id };
  const made = await ada.mutate("apiKeys.create", body, shop.within);
  expect(made.data.apiKey.projectId).toBe(desk.id);
  const keys = await ada.query("apiKeys.list", { projectId: desk.id }, shop.within);
  expect(keys.data.apiKeys).toHaveLength(1);
  expect((await ada.query("apiKeys.list", {}, shop.within)).data.apiKeys).toEqual([]);
});

test("lets a person look around in an archived project, and make or change nothing in it", async () => {
  const { ada, shop } = await personOfTwo();
  await ada.mutate("projects.archive", { projectId: shop.id });
  const listed = await ada.query("connections.list", {}, shop.within);
  expect(listed.data.connections).toEqual([shop.connection]);
  const body = { connectionId: shop.connection.id, label: "Old" };
  expect(await ada.mutate("connections.update", body, shop.within)).toMatchObject({
    status: 409,
    error: { code: "state_conflict", message: expect.stringContaining("archived") },
  });
  const { key } = await api.createRootKey();
  const { project } = (await api.send("POST", "/v1/projects", { key, body: { name: "Old" } })).body;
  await api.send("DELETE", `/v1/projects/${project.id}`, { key });
  const within = { "x-service-project": project.id };
  expect(await api.send("GET", "/v1/connections", { key, headers: within })).toMatchObject({
    status: 409,
    body: { error: { code: "state_conflict" } },
  });
});

test("names the account's resources that a project's rows refer to, and finds only the project's", async () => {
  const { ada, shop, desk } = await personOfTwo();
  const ids = [shop.id, desk.id, desk.connection.id].join(",");
  const named = await ada.query("search.list", { ids }, shop.within);
  expect(named.data.found.map(({ label }: { label: string }) => label).sort()).toEqual([
    "Desk",
    "Desk",
    "Shop",
  ]);
  const found = await ada.query("search.list", { query: "Desk" }, shop.within);
  expect(found.data.found).toEqual([]);
});

test("lets a person revoke a key of an archived project from within it", async () => {
  const { ada, shop } = await personOfTwo();
  const body = { label: "Till", scopes: ["projects:read"] };
  const { id } = (await ada.mutate("apiKeys.create", body, shop.within)).data.apiKey;
  await ada.mutate("projects.archive", { projectId: shop.id });
  const revoked = await ada.mutate("apiKeys.revoke", { id }, shop.within);
  expect(revoked.data.apiKey).toMatchObject({ status: "revoked", projectId: shop.id });
  expect((await ada.mutate("apiKeys.create", body, shop.within)).status).toBe(409);
});

test("lets a person choose their mails about approvals, also where the chosen project is archived", async () => {
  const { ada, shop } = await personOfTwo();
  await ada.mutate("projects.archive", { projectId: shop.id });
  const changed = await ada.mutate("approvals.mails.update", { wanted: false }, shop.within);
  expect(changed.data?.mails, JSON.stringify(changed.error)).toMatchObject({ wanted: false });
});

test("answers a project of nobody, or of another account, as missing", async () => {
  const { ada } = await personOfTwo();
  const { shop } = await personOfTwo();
  for (const id of [shop.id, "proj_01jzzzzzzzzzzzzzzzzzzzzzzz", "nothing"]) {
    expect(await ada.query("connections.list", {}, { "x-service-project": id })).toMatchObject({
      status: 404,
      error: { code: "not_found" },
    });
  }
});

test("names operations that exist as the account's", () => {
  const words = new Set(operations.map(({ operationId }) => operationId.split(".")[0]));
  expect([...OF_ACCOUNT].filter((word) => !words.has(word))).toEqual([]);
});
