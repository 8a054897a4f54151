import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { type IdKind, idOf, toUuid } from "#server/base/ids.ts";
import { startApi } from "#server/testing/api.ts";
import { signUpAndIn } from "#server/testing/console.ts";
import { addManyResources, BUSY, RARE } from "#server/testing/many-resources.ts";
import { pagesRead } from "#server/testing/pages-read.ts";
import { kindsOf, type Person, search } from "#server/testing/search.ts";

const api = await startApi();
const sql = postgres(api.databaseUrl, { max: 1, onnotice: () => undefined });
afterAll(() => sql.end({ timeout: 5 }));

const TABLES = {
  project: "projects",
  apiKey: "api_keys",
  file: "files",
  run: "runs",
  memory: "memories",
  endUser: "end_users",
  transaction: "wallet_transactions",
} satisfies Partial<Record<IdKind, string>>;

/** Returns one of the oldest resources of a kind. */
async function oldResource({ accountId }: Pick<Person, "accountId">, kind: keyof typeof TABLES) {
  const [row] = await sql<{ id: string; hash: string }[]>`
    select * from ${sql(TABLES[kind])} where account_id = ${toUuid("account", accountId)} order by id offset 4710 limit 1`;
  return { id: idOf(kind, defined(row).id), hash: defined(row).hash };
}

/** The pages of the newest rows, and of the few that an index finds; each table has over a thousand. */
const MORE_PAGES = 2000;

describe("among 100,000 resources of each kind", () => {
  let ada: Person;
  beforeAll(async () => {
    ada = await signUpAndIn(api);
    const { data } = await ada.mutate("projects.create", { name: "Grown" });
    const project = toUuid("project", data.project.id);
    await ada.mutate("apiKeys.create", { label: "Root", scopes: ["projects:read"] });
    await addManyResources(sql, { account: toUuid("account", ada.accountId), project });
  });

  test("reads at most 2,000 pages more than in an empty account, whatever is searched", async () => {
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
      "x7k",
      "x7k2q9",
      "0xabc",
      BUSY,
      ada.email,
    ]) {
      const alone = await leastPages(lonely, query);
      const among = await leastPages(ada, query);
      if (among > alone + MORE_PAGES) dear.push(`${query}: ${among} pages, not ${alone}`);
    }
    expect(dear).toEqual([]);
  });

  test("finds an old resource by its name", async () => {
    expect(kindsOf(await search(ada, "Depot number 4711"))[0]).toBe("project Depot number 4711");
    const found = await search(ada, "depot 4711");
    for (const [kind, label] of [
      ["apiKey", "Key of depot 4711"],
      ["run", "Restock depot 4711"],
      ["file", "invoice of depot 4711.pdf"],
      ["memory", "About depot 4711"],
      ["endUser", "user of depot 4711"],
    ])
      expect(found).toContainEqual(expect.objectContaining({ kind, label }));
  });

  test.for(["project", "apiKey"] as const)("finds an old %s by any part of its id", async (kind) => {
    const { id } = await oldResource(ada, kind);
    const parts = [id.slice(-6), id.slice(-12, -6), id.slice(-17, -11).toUpperCase(), id.slice(-26)];
    for (const part of [...parts, `…${id.slice(-6)}`, `${id.slice(0, id.indexOf("_") + 5)}…${id.slice(-6)}`])
      expect(await search(ada, part), part).toContainEqual(expect.objectContaining({ kind, id }));
  });

  const byEnd = ["run", "file", "memory", "endUser", "transaction"] as const;
  test.for(byEnd)("finds an old %s by the end of its id", async (kind) => {
    const { id } = await oldResource(ada, kind);
    const [prefix, letters] = [id.slice(0, id.indexOf("_") + 1), id.slice(id.indexOf("_") + 1)];
    for (const part of [
      letters.slice(-6),
      letters.slice(-6).toUpperCase(),
      `…${letters.slice(-6)}`,
      `${prefix}${letters.slice(0, 4)}…${letters.slice(-6)}`,
      `${prefix}${letters.slice(-6)}`,
      letters.slice(-12),
    ])
      expect(await search(ada, part), part).toContainEqual(expect.objectContaining({ kind, id }));
    const other = `${letters.slice(-7, -6) === "z" ? "y" : "z"}${letters.slice(-6)}`;
    expect(await search(ada, other)).toEqual([]);
  });

  test("finds an old transaction by its hash and its recipient", async () => {
    const { id, hash } = await oldResource(ada, "transaction");
    expect(await search(ada, hash)).toContainEqual(expect.objectContaining({ kind: "transaction", id }));
    expect((await search(ada, RARE)).map(({ kind }) => kind)).toEqual(["transaction", "transaction"]);
  });
});
