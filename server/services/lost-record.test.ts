import { expect, test } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { startLossyDatabase } from "#server/testing/lossy-database.ts";
import { declaredExample } from "#server/testing/operator-services.ts";
import { startPeer } from "#server/testing/peer.ts";
import { untilAnswered } from "#server/testing/until-answered.ts";
import { operatorServices } from "./operator-services.ts";

const acted: (() => void)[] = [];
const peer = await startPeer(({ body }) => {
  const lose = acted.shift();
  lose?.();
  return lose ? "reset" : { body: { id: "r-1", ...JSON.parse(body).input } };
});
const database = await createTestDatabase();
const lossy = await startLossyDatabase(database.url, /select settle\(/);
const services = operatorServices([declaredExample({ baseUrl: peer.origin })]);
const api = await startApi({ database: { ...database, url: lossy.url }, settings: { services } });

test("promises nothing of a call that may have acted though its end can't be recorded", async () => {
  const { key } = await createPayingKey(api, 100);
  const idempotencyKey = unique("lost");
  const invoke = () =>
    api.send("POST", "/v1/services/example-desk/invoke", {
      key,
      idempotencyKey,
      body: { operationId: "reserve", input: { item: "desk", quantity: 1 } },
    });
  acted.push(() => void lossy.lose());
  const lost = await invoke();
  expect([lost.status, lost.body.error.code, lost.body.error.operationState]).toEqual([
    503,
    "service_unavailable",
    "unknown",
  ]);
  expect((await untilAnswered(invoke)).status).toBe(200);
  lossy.lose();
  const replayed = await invoke();
  expect([replayed.status, replayed.body.error.operationState]).toEqual([503, "unknown"]);
  // The connection that lost the response ends with all of its queries, perhaps that of this call.
  const readBalance = async () => (await api.send("GET", "/v1/credits/balance", { key })).body.balance;
  await expect.poll(readBalance).toMatchObject({ reservedCredits: 0, totalCredits: 95 });
});
