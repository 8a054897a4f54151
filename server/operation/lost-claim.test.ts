import { expect, test } from "vitest";
import { z } from "zod";
import { startApi, unique } from "#server/testing/api.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { startLossyDatabase } from "#server/testing/lossy-database.ts";
import { untilAnswered } from "#server/testing/until-answered.ts";
import { ApiError } from "./errors.ts";
import { operation } from "./operation.ts";

let spent = false;

/** Commits with a single statement, once; then refuses before it claims its key, like an executed quote. */
const spend = operation({
  id: "test.spend",
  method: "POST",
  path: "/test/spend",
  summary: "Spend",
  scope: "projects:write",
  idempotent: true,
  external: "reads",
  output: z.object({ spent: z.boolean() }),
  async handler({ commit }) {
    if (spent) throw new ApiError("state_conflict", "It was spent.");
    await commit.batch({ spent: true }, {});
    spent = true;
    return { spent: true };
  },
});

const database = await createTestDatabase();
const lossy = await startLossyDatabase(database.url, /claim_idempotency/);
const api = await startApi({ database: { ...database, url: lossy.url }, extra: [spend] });

test("refuses no repeat for good while it can't be seen whether the call was made before", async () => {
  const { key } = await api.createRootKey();
  const idempotencyKey = unique("spend");
  const call = () => api.send("POST", "/v1/test/spend", { key, idempotencyKey });
  expect((await call()).status).toBe(200);
  lossy.lose();
  const unseen = await call();
  expect([unseen.status, unseen.body.error.operationState, unseen.body.error.retryable]).toEqual([
    503,
    "unknown",
    true,
  ]);
  const repeated = await untilAnswered(call);
  expect([repeated.status, repeated.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
});
