import postgres from "postgres";
import { describe, expect, test } from "vitest";
import { defined } from "#server/defined.ts";
import { toUuid } from "#server/ids.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { signInMember, signUpAndIn } from "#server/testing/console.ts";
import { pagesRead } from "#server/testing/pages-read.ts";

const api = await startApi();
type Person = Awaited<ReturnType<typeof signUpAndIn>>;
type Found = { kind: string; id: string; label: string; detail: string | null; parentId: string | null };

async function search(person: Pick<Person, "query">, query: string): Promise<Found[]> {
  const answer = await person.query("search.list", { query });
  expect(answer.status, JSON.stringify(answer.error)).toBe(200);
  return answer.data.found;
}

const kindsOf = (found: Found[]) => found.map(({ kind, label }) => `${kind} ${label}`);

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

/** The pages of the newest rows, and of the few that an index finds; each table has over a thousand. */
const MORE_PAGES = 900;

test("reads few pages among 100,000 resources of each kind", async () => {
  const ada = await signUpAndIn(api);
  const project = toUuid("project", await makeProject(ada, unique("Grown")));
  await makeKey(ada, "Root");
  const sql = postgres(api.databaseUrl, { max: 1, onnotice: () => undefined });
  const account = toUuid("account", ada.accountId);
  const rows = sql`generate_series(1, 100000) n`;
  const id = sql`uuidv7((n - 100000) * interval '1 ms')`;
  await sql`insert into projects (account_id, id, name, slug, updated_at)
    select ${account}::uuid, ${id}, case when n > 50000 then 'Shop' else 'Depot' end || ' number ' || n, 'shop-' || n, now() from ${rows}`;
  await sql`insert into api_keys (account_id, id, label, prefix, hash, chain, depth, scopes, operations_as_of, expiry_mode, limits, limited, privacy_tier, expires_at)
    select account_id, k.id, 'Key of ' || case when n > 50000 then 'shop ' else 'depot ' end || n, prefix, sha256(uuid_send(k.id)), array[k.id], 0, scopes, operations_as_of, 'fixed', '{}', false, privacy_tier, now() + interval '1 day'
    from api_keys, (select n, ${id} as id from ${rows}) k where account_id = ${account}`;
  await sql`insert into files (account_id, id, name, media_type, size_bytes, sha256, blob_key)
    select ${account}::uuid, ${id}, 'invoice of ' || case when n > 50000 then 'shop ' else 'depot ' end || n || '.pdf', 'application/pdf', 1, '', ${project}::uuid from ${rows}`;
  await sql`insert into runs (account_id, id, service_id, operation_id, name, status, max_attempts, caller_type, caller_id, key_ids, privacy_tier, request_id, held_credits, expires_at, finished_at)
    select ${account}::uuid, ${id}, 'managed-workflows', 'execute', 'Restock ' || case when n > 50000 then 'shop ' else 'depot ' end || n, 'succeeded', 1, 'member', ${project}::uuid, '{}', 'standard', 'req_' || n, 0, now(), now() from ${rows}`;
  await sql`vacuum (analyze) projects, api_keys, files, runs`;
  await sql.end({ timeout: 5 });

  const lonely = await signUpAndIn(api);
  /** Other work only adds to the pages. */
  const leastPages = async (person: Person, query: string) => {
    const counts: number[] = [];
    for (let nth = 0; nth < 3; nth++) counts.push(await pagesRead(api, () => search(person, query)));
    return Math.min(...counts);
  };
  const dear: string[] = [];
  for (const query of [
    "shop",
    "depot",
    "Depot number 4711",
    "4711",
    "o",
    "sh",
    "no such thing",
    "---",
    "key_01",
    "e",
    ada.email,
  ]) {
    const alone = await leastPages(lonely, query);
    const among = await leastPages(ada, query);
    if (among > alone + MORE_PAGES) dear.push(`${query}: ${among} pages, not ${alone}`);
  }
  expect(dear).toEqual([]);
  expect(kindsOf(await search(ada, "Depot number 4711"))[0]).toBe("project Depot number 4711");
  expect(kindsOf(await search(ada, "4711"))).toEqual(
    expect.arrayContaining([
      "run Restock depot 4711",
      "apiKey Key of depot 4711",
      "file invoice of depot 4711.pdf",
    ]),
  );
});
