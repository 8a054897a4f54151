import { expect, test } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { startLossyDatabase } from "#server/testing/lossy-database.ts";
import { declaredExample } from "#server/testing/operator-services.ts";
import { startPeer } from "#server/testing/peer.ts";
import { untilAnswered } from "#server/testing/until-answered.ts";
import { operatorServices } from "./operator-services.ts";

const reached: (() => void)[] = [];
const peer = await startPeer(({ body }) => {
  const refuse = reached.shift();
  refuse?.();
  return refuse ? { status: 503 } : { body: { id: "r-1", ...JSON.parse(body).input } };
});
const database = await createTestDatabase();
const lossy = await startLossyDatabase(database.url, /^commit$/);
const services = operatorServices([declaredExample({ baseUrl: peer.origin })]);
const api = await startApi({ database: { ...database, url: lossy.url }, settings: { services } });

test.each([
  ["before its service is called", () => lossy.lose()],
  ["after its service has refused", () => void reached.push(() => lossy.lose())],
])("promises nothing of a call whose credits may stay set aside: a commit is lost %s", async (_, prepare) => {
  const { key } = await createPayingKey(api, 100);
  const invoke = (idempotencyKey: string) =>
    api.send("POST", "/v1/services/example-desk/invoke", {
      key,
      idempotencyKey,
      body: { operationId: "reserve", input: { item: "desk", quantity: 1 } },
    });
  const idempotencyKey = unique("lost");
  prepare();
  const lost = await invoke(idempotencyKey);
  expect([lost.status, lost.body.error.code, lost.body.error.operationState]).toEqual([
    503,
    "service_unavailable",
    "unknown",
  ]);
  expect((await untilAnswered(() => invoke(idempotencyKey))).status).toBe(200);
  const { body } = await untilAnswered(() => api.send("GET", "/v1/credits/balance", { key }));
  expect(body.balance).toMatchObject({ reservedCredits: 0, totalCredits: 95 });
});
