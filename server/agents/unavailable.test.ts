import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";

const api = await startApi();
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
  const { key } = await api.createRootKey();
  const body = { operationId: "respond", input: { input: "Hello" } };
  const refused = await api.send("POST", "/v1/services/managed-agents/invoke", { key, body });
  expect(refused.body.error).toMatchObject({
    status: 503,
    code: "service_unavailable",
    message: REASON,
    operationState: "not_started",
  });
});
