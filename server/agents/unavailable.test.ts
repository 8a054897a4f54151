import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { connectModel, startModelServer } from "#server/testing/model-server.ts";
import { createRun, runWith, startRuns } from "#server/testing/runs.ts";

const api = await startApi();
const worker = await startRuns(api);
afterAll(() => worker.stop());
const REASON =
  "No model is configured: set MODEL_BASE_URL and MODEL_NAME, or send a connectionId that leads to a model endpoint.";

test("says in /pricing and /services which setting is missing where no model is configured", async () => {
  const { key } = await api.createRootKey();
  const { body } = await api.send("GET", "/v1/pricing?service=managed-agents");
  expect(body.pricing.services).toEqual([
    {
      id: "managed-agents",
      available: false,
      reason: REASON,
      operations: [{ operationId: "respond", unit: "1000 tokens", credits: 1, maximum: 200 }],
    },
  ]);
  expect(body.pricing.limits.agents).toMatchObject({ maximumSteps: 50, maximumTokens: 200_000 });
  const services = await api.send("GET", "/v1/services", { key });
  expect(
    services.body.services.find((service: { id: string }) => service.id === "managed-agents"),
  ).toMatchObject({ status: "unavailable", reason: REASON, operations: ["respond"] });
});

test("answers 503 naming the setting where no model is configured", async () => {
  const { key } = await createPayingKey(api, 500);
  const body = { operationId: "respond", input: { input: "Hello" } };
  const error = { status: 503, code: "service_unavailable", message: REASON, operationState: "not_started" };
  const invoked = await api.send("POST", "/v1/services/managed-agents/invoke", { key, body });
  expect(invoked.body.error).toMatchObject(error);
  const run = await createRun(api, key, { serviceId: "managed-agents", ...body });
  expect(run.body.error).toMatchObject(error);
  const { balance } = (await api.send("GET", "/v1/credits/balance", { key })).body;
  expect(balance).toMatchObject({ availableCredits: 500, reservedCredits: 0 });
});

test("asks a model of the account's own by its connection, for no credits", async () => {
  const { key } = await createPayingKey(api, 500);
  const endpoint = await startModelServer(() => ({
    text: "Done.",
    usage: { prompt: 5000, completion: 5000 },
  }));
  const connectionId = await connectModel(api, key, endpoint.baseUrl);
  const respond = { serviceId: "managed-agents", operationId: "respond" };
  for (const named of [
    { input: { input: "Hello", connectionId, maxCredits: 0 } },
    { input: { input: "Hello" }, connectionId },
  ]) {
    const created = await createRun(api, key, { ...respond, ...named });
    expect(await runWith(api, key, created.body.run.id, "succeeded")).toMatchObject({
      chargedCredits: 0,
      result: { output: "Done.", usage: { inputTokens: 5000, outputTokens: 5000 } },
    });
    expect(endpoint.asked.at(-1)).toMatchObject({ authorization: "Bearer sk-own", body: { model: "own" } });
  }
  const foreign = await createRun(api, key, {
    ...respond,
    input: { input: "Hello" },
    connectionId: "conn_none",
  });
  expect(foreign.body.error).toMatchObject({ status: 404, code: "not_found" });
  await endpoint.stop();
});
