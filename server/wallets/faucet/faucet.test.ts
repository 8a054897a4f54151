import { expect, test } from "vitest";
import { erc20Abi } from "#server/providers/chain/abi.ts";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { signInMember, signUpAndIn } from "#server/testing/console.ts";

const chain = await startTestChain();
const real = { ...chain.settings, chainId: 31338, sandbox: false };
const api = await startApi({ settings: { chains: [chain.settings, real] } });
const { usd, wrappedNative } = chain.settings.contracts;
const network = "eip155:31337";

async function createWallet() {
  const ada = await signUpAndIn(api);
  const dev = await signInMember(api, ada.accountId, "developer");
  const { wallet } = (await dev.mutate("wallets.create", { label: "Test" })).data;
  return { ada, dev, walletId: wallet.id, address: wallet.address as `0x${string}` };
}

test("gives a developer's wallet ETH and tokens, once for each call", async () => {
  const { dev, walletId, address } = await createWallet();
  const eth = { walletId, network, asset: "native", amount: "1.5" };
  const given = await dev.mutate("wallets.faucet", eth, { "idempotency-key": "give-me-eth" });
  expect(given).toMatchObject({
    status: 200,
    data: { network, asset: "native", amount: "1.5", hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
  });
  expect(await dev.mutate("wallets.faucet", eth, { "idempotency-key": "give-me-eth" })).toEqual(given);
  expect(await chain.client.getBalance({ address })).toBe(1_500_000_000_000_000_000n);
});

test("serves many concurrent requests, beside another process that serves too", async () => {
  const { dev, walletId, address } = await createWallet();
  const gifts = Array.from({ length: 20 }, (_, nth) =>
    nth % 2 === 0
      ? dev.mutate("wallets.faucet", { walletId, network, asset: usd.toLowerCase(), amount: "0.000001" })
      : chain.fund(address, { usd: "1" }).then(() => ({ status: 200 })),
  );
  expect((await Promise.all(gifts)).map(({ status }) => status)).toEqual(gifts.map(() => 200));
  const balance = { address: usd, abi: erc20Abi, functionName: "balanceOf", args: [address] } as const;
  expect(await chain.client.readContract(balance)).toBe(10_000_010n);
});

test("refuses unknown assets, too much, too small parts, and chains that are no sandbox", async () => {
  const { ada, dev, walletId } = await createWallet();
  const viewer = await signInMember(api, ada.accountId, "viewer");
  const stranger = await signUpAndIn(api);
  const eth = { walletId, network, asset: "native", amount: "1" };
  const refusals = await Promise.all([
    dev.mutate("wallets.faucet", { ...eth, asset: wrappedNative }),
    dev.mutate("wallets.faucet", { ...eth, amount: "1000000.1" }),
    dev.mutate("wallets.faucet", { ...eth, asset: usd, amount: "0.0000001" }),
    dev.mutate("wallets.faucet", { ...eth, amount: "0.0" }),
    dev.mutate("wallets.faucet", { ...eth, network: "eip155:31338" }),
    viewer.mutate("wallets.faucet", eth),
    stranger.mutate("wallets.faucet", eth),
  ]);
  expect(refusals.map(({ status, error }) => [status, error.code, error.issues?.[0].path])).toEqual([
    [400, "invalid_request", "body.asset"],
    [400, "invalid_request", "body.amount"],
    [400, "invalid_request", "body.amount"],
    [400, "invalid_request", "body.amount"],
    [409, "state_conflict", undefined],
    [403, "scope_missing", undefined],
    [404, "not_found", undefined],
  ]);
});
