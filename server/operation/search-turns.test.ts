import postgres from "postgres";
import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";

const api = await startApi();

test("answers other accounts while one sends searches that take long, and refuses more than may wait", async () => {
  const [{ key: busy }, { key: neighbour }] = [await api.createRootKey(), await api.createRootKey()];
  const list = (key: string, path: string) => api.send("GET", `/v1${path}`, { key });
  expect((await list(neighbour, "/wallets")).status).toBe(200);
  const locker = postgres(api.databaseUrl, { max: 1 });
  const ended: number[] = [];
  const searches: Promise<unknown>[] = [];
  await locker.begin(async (sql) => {
    // While this lock is held, a search of files takes as long as if there were very many.
    await sql`lock table files in access exclusive mode`;
    for (let nth = 0; nth < 12; nth++)
      searches.push(
        list(busy, `/files?search=${nth}`).then(({ status, body }) => {
          ended.push(status);
          if (status === 429) expect(body.error).toMatchObject({ code: "limit_exhausted", retryable: true });
        }),
      );
    await expect.poll(() => ended).toEqual([429, 429, 429]);
    for (const path of ["/wallets", "/wallets?search=x", "/connections", "/api-keys?search=x"])
      expect((await list(neighbour, path)).status, path).toBe(200);
    expect(ended.length).toBeLessThan(12);
  });
  await Promise.all(searches);
  expect((await list(busy, "/files?search=x")).status).toBe(200);
  await locker.end();
});
