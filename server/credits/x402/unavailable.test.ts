import { expect, test } from "vitest";
import { openChains } from "#server/providers/chain/chains.ts";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createPayer, paidOn, signPayment, topUp } from "#server/testing/payments.ts";
import { startPeer } from "#server/testing/peer.ts";

const chain = await startTestChain();
const { chains = [], payments } = await paidOn(chain);
const peer = await startPeer(() => "reset");
const api = await startApi({
  settings: { chains, payments: { treasury: payments?.treasury ?? null, facilitator: peer.origin } },
});

test("charges nothing while the facilitator does not answer, naming its setting", async () => {
  const { key } = await api.createRootKey();
  const { payment } = await signPayment(api, chain, { key, payer: await createPayer(chain) });
  const { status, body } = await topUp(api, { key, payment });
  expect([status, body.error]).toMatchObject([
    503,
    { code: "service_unavailable", operationState: "not_started", retryable: true },
  ]);
  expect(body.error.message).toContain("FACILITATOR_URL");
});

test("names the setting without which nothing can be bought", async () => {
  const { key } = await api.createRootKey();
  const { settings } = api.platform;
  const refusal = async () => {
    const { status, body } = await topUp(api, { key });
    return [status, body.error.message];
  };
  Object.assign(api.platform, { facilitator: null });
  expect(await refusal()).toEqual([503, "Credits can't be bought here: FACILITATOR_URL is not set."]);
  Object.assign(settings, { payments: { treasury: null, facilitator: null } });
  expect(await refusal()).toEqual([503, "Credits can't be bought here: TREASURY_ADDRESS is not set."]);
  Object.assign(api.platform, { chains: openChains([]) });
  expect(await refusal()).toEqual([503, "Credits can't be bought here: CHAINS is not set."]);
});
