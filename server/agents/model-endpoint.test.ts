import { expect, test } from "vitest";
import { PUT, put, startAgents } from "#server/testing/agents.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { runWith } from "#server/testing/runs.ts";

const { api, endpoint, asked, turns, start, respond } = await startAgents();

test("names the setting of an unavailable model endpoint, and works once it is available again", async () => {
  const { key } = await createPayingKey(api, 500);
  turns({ text: "Back." });
  await endpoint.stop();
  const { error, timeline, chargedCredits } = await respond(key, {}, "failed");
  expect(error).toMatchObject({ code: "service_unavailable", step: "model 1" });
  expect(error.message).toContain("MODEL_BASE_URL");
  expect(chargedCredits).toBe(0);
  const retries = timeline.filter(({ type }: { type: string }) => type === "retry");
  expect(retries).toMatchObject([1, 2].map((attempt) => ({ step: "model 1", data: { attempt } })));
  expect(timeline.at(-1).data.finishedSteps).toEqual([]);
  await endpoint.start();
  expect((await respond(key)).result.output).toBe("Back.");
});

test("waits as long as the endpoint asks it to", async () => {
  const { key } = await createPayingKey(api, 500);
  turns([{ status: 429, headers: { "retry-after": "2" } }, { text: "Now." }]);
  const started = Date.now();
  expect((await respond(key)).result.output).toBe("Now.");
  expect(Date.now() - started).toBeGreaterThanOrEqual(2000);
  expect(asked).toHaveLength(2);
});

test("retries a response that breaks off, and finally reports the outcome as unknown", async () => {
  const { key } = await createPayingKey(api, 500);
  turns({ text: "Half an", cut: true });
  const { error } = await respond(key, {}, "failed");
  expect(error).toMatchObject({ code: "service_timeout" });
  expect(asked).toHaveLength(3);
});

/** Returns an account's charges by the ledger and by the usage. */
async function chargedTo(key: string) {
  const { balance } = await api.mustSend(200, "GET", "/v1/credits/balance", { key });
  const { auditEvents } = await api.mustSend(200, "GET", "/v1/audit-events?operation=runs.settle", { key });
  const credits = auditEvents.map(({ chargedCredits }: { chargedCredits: number }) => chargedCredits);
  return { charged: 500 - balance.totalCredits, reserved: balance.reservedCredits, audited: credits };
}

test("charges the tokens that were used, though the run fails", async () => {
  const { key } = await createPayingKey(api, 500);
  turns({ ...put("half"), usage: { prompt: 2000, completion: 500 } }, { status: 400, error: "No more." });
  const run = await respond(key, { tools: ["services.invoke.managed-memory.list"] }, "failed");
  expect(run).toMatchObject({ error: { code: "service_failed", step: "model 2" }, chargedCredits: 3 });
  expect(await chargedTo(key)).toEqual({ charged: 3, reserved: 0, audited: [3] });
});

test("charges the tokens that were used, though the run is cancelled while it waits for a person", async () => {
  const { key } = await createPayingKey(api, 500);
  turns({ ...put("never"), usage: { prompt: 2000, completion: 500 } });
  const { body } = await start(key, { tools: [PUT] });
  await runWith(api, key, body.run.id, "awaiting_approval");
  await api.send("POST", `/v1/runs/${body.run.id}/cancel`, { key, body: {} });
  expect((await runWith(api, key, body.run.id, "cancelled")).chargedCredits).toBe(3);
  expect(await chargedTo(key)).toEqual({ charged: 3, reserved: 0, audited: [3] });
});

test("takes a model's negative usage for none", async () => {
  const { key } = await createPayingKey(api, 500);
  turns({ text: "Free?", usage: { prompt: -5000, completion: 1500 } });
  const run = await respond(key);
  expect(run.result.usage).toEqual({ inputTokens: 0, outputTokens: 1500 });
  expect(run.chargedCredits).toBe(2);
});

test("asks the model that was named, and does without any tools", async () => {
  const { key } = await createPayingKey(api, 500);
  turns({ text: "Done." });
  expect((await respond(key, { model: "large", tools: [] })).result.output).toBe("Done.");
  expect(asked[0]?.body.model).toBe("large");
  expect(asked[0]?.body.tools).toBeUndefined();
});
