import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startClock } from "#server/testing/cpu.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { startModelServer } from "#server/testing/model-server.ts";
import { createRun, runWith, startRuns } from "#server/testing/runs.ts";

/** The requests to the model so far: it hesitates once. */
const asked = new Set<string>();
const endpoint = await startModelServer(({ body }) => {
  const text = JSON.stringify(body);
  const [hesitation = null] = text.match(/Hesitate \d/) ?? [];
  const isSilent = text.includes("Stay silent") || (hesitation !== null && !asked.has(hesitation));
  if (hesitation !== null) asked.add(hesitation);
  return isSilent ? { hang: true } : { text: "Done." };
});
const api = await startApi({
  settings: { model: { baseUrl: endpoint.baseUrl, names: ["test"] }, modelTimeoutSeconds: 3 },
});
const worker = await startRuns(api);
afterAll(async () => {
  await worker.stop();
  await endpoint.stop();
});

const respond = (key: string, input: string) =>
  createRun(api, key, { serviceId: "managed-agents", operationId: "respond", input: { input } });

test("retries a silent model, fails a run that it never answers, and delays nobody else", async () => {
  const [mine, other] = [await createPayingKey(api, 1000), await createPayingKey(api, 1000)];
  const waiting = [];
  for (const input of ["Stay silent", "Stay silent", "Hesitate 1", "Hesitate 2"])
    waiting.push(await respond(mine.key, input));
  await expect.poll(() => endpoint.asked.length).toBeGreaterThanOrEqual(2);
  const clock = startClock();
  expect((await api.send("GET", "/v1/projects", { key: mine.key })).status).toBe(200);
  expect(clock()).toBeLessThan(5000);
  await expect.poll(async () => (await api.send("GET", "/health")).body.status).toBe("ok");
  const quick = await respond(other.key, "Answer");
  expect(await runWith(api, other.key, quick.body.run.id, "succeeded")).toMatchObject({
    result: { output: "Done." },
  });

  const [first, second, ...rest] = waiting.map(({ body }) => body.run.id);
  for (const id of [first, second])
    expect(await runWith(api, mine.key, id as string, "failed")).toMatchObject({
      error: { code: "service_timeout", message: expect.stringContaining("MODEL_BASE_URL") },
    });
  for (const id of rest) await runWith(api, mine.key, id, "succeeded");
  const { balance } = (await api.send("GET", "/v1/credits/balance", { key: mine.key })).body;
  expect(balance.reservedCredits).toBe(0);
});
