import { expect, test } from "vitest";
import { z } from "zod";
import { newUuid, uuidOf } from "#server/base/ids.ts";
import { operation } from "#server/operation/operation.ts";
import { startApi } from "#server/testing/api.ts";

let finish = () => {};
const slow = operation({
  id: "test.slow",
  method: "GET",
  path: "/test/slow",
  summary: "Wait until told to go on",
  scope: "projects:read",
  output: z.object({}),
  handler: () =>
    new Promise<Record<string, never>>((resolve) => {
      finish = () => resolve({});
    }),
});

const api = await startApi({ extra: [slow] });
const { client } = api.platform.database;
const secondsLeft = async () =>
  (
    await client`select extract(epoch from expires_at - clock_timestamp())::int as left from leases where key_ids <> '{}'`
  ).map((row) => row.left);

async function under<Result>(condition: () => Promise<Result | undefined>): Promise<Result> {
  for (;;) {
    const found = await condition();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test("keeps a call's lease as long as it runs", async () => {
  const { key } = await api.createRootKey({ limits: { "test.slow": { maxConcurrent: 1 } } });
  const first = api.send("GET", "/v1/test/slow", { key });
  await under(async () => (await secondsLeft())[0]);
  await client`update leases set expires_at = clock_timestamp() - interval '1 second'`;
  await api.platform.leases.beat();
  expect(await secondsLeft()).toEqual([expect.closeTo(60, -1)]);
  expect((await api.send("GET", "/v1/test/slow", { key })).status).toBe(429);
  finish();
  expect((await first).status).toBe(200);
  expect(await secondsLeft()).toEqual([]);
  await api.platform.leases.beat();
  const again = api.send("GET", "/v1/test/slow", { key });
  await under(async () => (await secondsLeft())[0]);
  finish();
  expect((await again).status).toBe(200);
});

test("gives back the place of a call whose process died, a minute after its last sign of life", async () => {
  const { key, apiKey } = await api.createRootKey({ limits: { "projects.list": { maxConcurrent: 1 } } });
  const list = async () => (await api.send("GET", "/v1/projects", { key })).status;
  expect(await list()).toBe(200);
  const keyId = uuidOf("apiKey", apiKey.id);
  await client`update rate_limit_counters set active = 1 where key_id = ${keyId}`;
  await client`insert into leases (id, key_ids, selectors, expires_at)
    values (${newUuid()}, ${[keyId]}::uuid[], '{projects.list}', clock_timestamp() + interval '1 minute')`;
  await api.platform.leases.beat();
  expect(await list()).toBe(429);
  await client`update leases set expires_at = clock_timestamp() - interval '1 second'`;
  await api.platform.leases.beat();
  expect(await list()).toBe(200);
});

test("gives back the place of a call that failed before its operation began", async () => {
  const { key } = await api.createRootKey({ limits: { "projects.list": { maxConcurrent: 1 } } });
  const list = (headers = {}) => api.send("GET", "/v1/projects", { key, headers });
  await client.begin(async (other) => {
    await other`lock table end_users in share mode`;
    expect((await list({ "x-service-end-user": "new" })).status).toBe(503);
  });
  await expect.poll(async () => (await list()).status).toBe(200);
});
