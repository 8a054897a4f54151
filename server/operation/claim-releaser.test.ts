import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { ApiError } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { startTestCluster } from "#server/testing/cluster.ts";

const begun = Promise.withResolvers<void>();
const lost = Promise.withResolvers<void>();
let attempts = 0;

/** Fails the first time as if the database were gone. */
const failing = operation({
  id: "test.failing",
  method: "POST",
  path: "/test/failing",
  summary: "Fail while the database is gone",
  scope: "projects:write",
  idempotent: true,
  external: true,
  output: z.object({ effect: z.string() }),
  async handler({ commit, effectId }) {
    attempts += 1;
    if (attempts > 1) return commit(async () => ({ effect: effectId }));
    begun.resolve();
    await lost.promise;
    throw new ApiError("service_failed", "Whether it acted is unknown.");
  },
});

const cluster = await startTestCluster();
const api = await startApi({ database: cluster, extra: [failing] });

test("frees the key of a call that failed while the database was gone, as soon as that is back", async () => {
  const { key } = await api.createRootKey();
  const idempotencyKey = unique("lost");
  const call = () => api.send("POST", "/v1/test/failing", { key, idempotencyKey });
  const first = call();
  await begun.promise;
  cluster.kill();
  await expect.poll(async () => (await api.send("GET", "/v1/projects", { key })).status).toBe(503);
  lost.resolve();
  expect((await first).status).toBeGreaterThanOrEqual(502);

  let again = await call();
  while (again.status === 503) {
    await sleep(20);
    again = await call();
  }
  expect(again.status).toBe(200);
});
