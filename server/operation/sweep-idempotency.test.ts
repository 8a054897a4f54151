import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { sweepIdempotency } from "./sweep-idempotency.ts";

const api = await startApi();
const { client, db } = api.platform.database;

test("sweeps the records that have expired, and no other", async () => {
  const { key } = await api.createRootKey();
  const create = (idempotencyKey: string) =>
    api.send("POST", "/v1/projects", { key, body: { name: "Shop" }, idempotencyKey });
  for (const idempotencyKey of ["expired-one", "expired-two", "still-kept"]) await create(idempotencyKey);
  await client`update idempotency_records set expires_at = now() where key like 'expired-%'`;
  const [one, other] = await Promise.all([sweepIdempotency(db), sweepIdempotency(db)]);
  expect(one + other).toBe(2);
  expect(await client`select key from idempotency_records`).toEqual([{ key: "still-kept" }]);
  expect((await create("still-kept")).headers.get("idempotent-replayed")).toBe("true");
  expect((await create("expired-one")).headers.get("idempotent-replayed")).toBeNull();
});
