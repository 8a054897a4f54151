import { expect, test } from "vitest";
import { startSwaps } from "#server/testing/swaps.ts";

const { origin, api } = await startSwaps();

test("answers 503 while a chain's node is gone, naming the setting, and works when it is back", async () => {
  const { key } = await api.createRootKey();
  const body = {
    sender: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    from: { network: "eip155:31337", asset: "native", amount: "0.1" },
    to: { network: "eip155:31337", asset: origin.token("USD") },
  };
  const prepare = () => api.send("POST", "/v1/swaps/prepare", { key, body, idempotencyKey: null });
  await origin.stop();
  const refused = await prepare();
  expect(refused.body.error).toMatchObject({
    status: 503,
    code: "service_unavailable",
    operationState: "not_started",
    message: expect.stringContaining("CHAINS"),
  });
  await origin.start();
  await expect.poll(async () => (await prepare()).status).toBe(201);
});
