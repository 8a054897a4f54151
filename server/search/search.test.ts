import { describe, expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { startApi } from "#server/testing/api.ts";
import { signInMember, signUpAndIn } from "#server/testing/console.ts";
import { kindsOf, type Person, search } from "#server/testing/search.ts";

const api = await startApi();

async function makeKey(person: Pick<Person, "mutate">, label: string, scopes = ["projects:read"]) {
  const { data } = await person.mutate("apiKeys.create", { label, scopes });
  return { id: data.apiKey.id, secret: data.secret };
}

async function makeProject(person: Pick<Person, "mutate">, name: string): Promise<string> {
  return (await person.mutate("projects.create", { name })).data.project.id;
}

describe("a name", () => {
  test("finds resources of every kind by a part of it, the best first", async () => {
    const ada = await signUpAndIn(api);
    await makeProject(ada, "Old webshop");
    await makeProject(ada, "Shop");
    await makeKey(ada, "Shop backend");
    await ada.mutate("wallets.create", { label: "Shop treasury" });
    const body = { url: "http://127.0.0.1:9/shop", events: ["*"] };
    await ada.mutate("webhooks.create", body);
    const steps = [{ id: "pause", type: "wait", seconds: 0 }];
    const input = { workflow: { name: "Restock the shop", steps } };
    await ada.mutate("runs.create", { serviceId: "managed-workflows", operationId: "execute", input });
    const stored = { name: "shop-restock", workflow: { name: "Restock", steps } };
    await ada.mutate("services.invoke", {
      serviceId: "managed-workflows",
      operationId: "put",
      input: stored,
    });
    await ada.mutate("services.invoke", {
      serviceId: "managed-triggers",
      operationId: "put",
      input: {
        name: "shop-nightly",
        on: { cron: "0 3 * * *", timezone: "UTC" },
        start: { serviceId: "managed-memory", operationId: "put", input: { content: "Tea" } },
      },
    });
    expect(kindsOf(await search(ada, "shop"))).toEqual([
      "project Shop",
      "apiKey Shop backend",
      "wallet Shop treasury",
      "workflow shop-restock",
      "trigger shop-nightly",
      "run Restock the shop",
      "webhook http://127.0.0.1:9/shop",
      "project Old webshop",
    ]);
  });

  test("finds members, services and their capabilities", async () => {
    const ada = await signUpAndIn(api);
    expect(await search(ada, ada.email)).toMatchObject([{ kind: "member", label: "Ada", detail: ada.email }]);
    expect(kindsOf(await search(ada, "managed memory"))).toContain("service Managed memory");
    const [found] = await search(ada, "put a memory");
    expect(found).toMatchObject({ kind: "capability", id: "put", parentId: "managed-memory" });
  });

  test("of one or two letters finds where a word begins, and of none nothing", async () => {
    const ada = await signUpAndIn(api);
    await makeProject(ada, "Go live");
    expect(kindsOf(await search(ada, "li"))).toContain("project Go live");
    expect(await search(ada, "  ")).toEqual([]);
    expect((await ada.query("search.list")).data.found).toEqual([]);
  });

  test("treats any text literally", async () => {
    const ada = await signUpAndIn(api);
    const names = [
      "100% _done_",
      "a\\b",
      "<img src=x onerror=alert(1)>",
      "'; drop table projects; --",
      "שלום עולם",
    ];
    for (const name of names) await makeProject(ada, name);
    for (const name of names) expect(kindsOf(await search(ada, name)).at(0)).toBe(`project ${name}`);
    expect(await search(ada, "100%_done")).toEqual([]);
    expect((await ada.query("search.list", { query: "\u0000" })).status).toBeLessThan(500);
    expect((await ada.query("search.list", { query: "x".repeat(10_000) })).status).toBe(400);
  });
});

describe("an id", () => {
  test("finds its resource, whole or begun, and no other account's", async () => {
    const [ada, eve] = [await signUpAndIn(api), await signUpAndIn(api)];
    const key = await makeKey(ada, "Backend");
    const project = await makeProject(ada, "Shop");
    expect(await search(ada, key.id)).toMatchObject([{ kind: "apiKey", id: key.id, label: "Backend" }]);
    expect(await search(ada, key.id.slice(0, 20))).toMatchObject([{ id: key.id }]);
    expect(await search(ada, project.toUpperCase())).toMatchObject([{ id: project }]);
    for (const query of [key.id, project, key.id.slice(0, 20), "Backend"])
      expect(await search(eve, query), query).toEqual([]);
    expect((await eve.query("search.list", { ids: `${key.id},${project}` })).data.found).toEqual([]);
    expect(
      (await ada.query("search.list", { ids: `${project},nonsense,${key.id}` })).data.found,
    ).toMatchObject([
      { id: project, label: "Shop" },
      { id: key.id, label: "Backend" },
    ]);
  });

  test("finds a request's operation by its id, and a key by the beginning of its secret", async () => {
    const ada = await signUpAndIn(api);
    const { id, secret } = await makeKey(ada, "Backend");
    const { headers } = await api.send("GET", "/v1/projects", { key: secret });
    const requestId = defined(headers.get("x-request-id"));
    expect(await search(ada, requestId)).toMatchObject([
      { kind: "request", id: requestId, label: "projects.list", detail: "allowed" },
    ]);
    expect(await search(ada, secret.slice(0, 15))).toMatchObject([{ kind: "apiKey", id }]);
  });

  test("of a wallet on a chain is its address, however it is written", async () => {
    const ada = await signUpAndIn(api);
    const { wallet } = (await ada.mutate("wallets.create", { label: "Treasury" })).data;
    for (const address of [wallet.address, wallet.address.toLowerCase()])
      expect(await search(ada, address)).toMatchObject([{ kind: "wallet", id: wallet.id }]);
  });
});

test("finds only resources that the person's role may read", async () => {
  const ada = await signUpAndIn(api);
  const key = await makeKey(ada, "Backend key");
  await makeProject(ada, "Backend");
  const viewer = await signInMember(api, ada.accountId, "viewer");
  expect(kindsOf(await search(viewer, "backend"))).toEqual(["project Backend"]);
  expect(await search(viewer, key.id)).toEqual([]);
  expect((await viewer.query("search.list", { ids: key.id })).data.found).toEqual([]);
});
