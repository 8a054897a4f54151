import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";

const api = await startApi({ settings: { lacksSandboxChains: true } });
const message =
  "This machine has no node for the sandbox's chains. Its operator installs Foundry's anvil on the PATH, or sets CHAINS.";

test("reports what is missing if the sandbox has no chains, and serves everything else", async () => {
  const { key } = await api.createRootKey();
  await expect
    .poll(async () => (await api.send("GET", "/health")).body)
    .toMatchObject({
      ok: true,
      status: "degraded",
      checks: expect.arrayContaining([{ name: "chains", ok: false, durationMs: null, message }]),
      chains: [],
    });
  const { services } = (await api.send("GET", "/v1/services", { key })).body;
  for (const id of ["managed-wallets", "managed-trading", "universal-swaps"])
    expect(services.find((service: { id: string }) => service.id === id)).toMatchObject({
      status: "unavailable",
    });
  const { wallet } = (await api.send("POST", "/v1/wallets", { key, body: { label: "Treasury" } })).body;
  const send = { network: "eip155:31337", to: wallet.address, asset: "native", amount: "1" };
  const path = `/v1/wallets/${wallet.id}/transactions/quote`;
  const refused = await api.send("POST", path, { key, body: send });
  expect(refused).toMatchObject({
    status: 503,
    body: { error: { code: "service_unavailable", message, operationState: "not_started" } },
  });
  expect((await api.send("GET", "/v1/projects", { key })).status).toBe(200);
});
