import { encodeFunctionData, erc721Abi, type Hex } from "viem";
import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createWallet, quote, RECIPIENT } from "#server/testing/transactions.ts";

const sandbox = await startTestChain();
const ODD = "0x4000000000000000000000000000000000000001";
const LISTED = "0x4000000000000000000000000000000000000002";
const listed = { asset: LISTED, symbol: "LIST", name: "Listed", decimals: 18 } as const;
const tokens = [...sandbox.settings.tokens, listed];
const api = await startApi({ settings: { chains: [{ ...sandbox.settings, tokens }] } });
const { key } = await createPayingKey(api, 1000);
const network = "eip155:31337";

/** Code that responds to every call in the same way. */
const CODES: [name: string, code: Hex][] = [
  ["255", "0x60ff60005260206000f3"],
  ["the highest integer", `0x7f${"ff".repeat(32)}60005260206000f3`],
  ["a single byte", "0x60ff60005260016000f3"],
  ["a megabyte", "0x621000006000f3"],
  ["nothing", "0x00"],
  ["by a revert", "0x60006000fd"],
  ["by using up its gas", "0x5b600056"],
];

/** Contracts that would use up the node's time for other tokens too. */
const ENDLESS = ["a megabyte", "by using up its gas"];

test.each(CODES)("refuses a token that answers %s, naming it", async (_, bytecode) => {
  await sandbox.client.setCode({ address: ODD, bytecode });
  const wallet = await createWallet(api, sandbox, key);
  for (const amount of ["0", "1", "1.5", "9".repeat(30)]) {
    const body = { network, to: RECIPIENT, asset: ODD, amount };
    const answer = await api.send("POST", `/v1/wallets/${wallet.id}/transactions/quote`, { key, body });
    expect(answer.status).toBe(400);
    expect(answer.body.error.issues[0].path).toMatch(/^body\.(asset|amount)$/);
    expect(answer.body.error.message).toContain(ODD);
  }
});

test("answers balances although the contract of a listed token answers nonsense", async () => {
  const wallet = await createWallet(api, sandbox, key, { eth: "2" });
  for (const [, bytecode] of CODES.filter(([name]) => !ENDLESS.includes(name))) {
    await sandbox.client.setCode({ address: LISTED, bytecode });
    const { status, body } = await api.send("GET", `/v1/wallets/${wallet.id}/balances`, { key });
    expect([status, body.balances?.[0].amount]).toEqual([200, "2"]);
    const shown = body.balances.find(({ asset }: { asset: string }) => asset === LISTED);
    expect(shown?.amount ?? "0.000000000000000255").toBe("0.000000000000000255");
  }
});

test("takes a zero of a contract that is not listed for a call like any other", async () => {
  await sandbox.client.setCode({ address: ODD, bytecode: "0x600160005260206000f3" });
  const wallet = await createWallet(api, sandbox, key, {
    eth: "1",
    policy: { maxPerTransactionUsd: "100" },
  });
  const vouching = await createWallet(api, sandbox, key, {
    eth: "1",
    policy: {
      maxPerTransactionUsd: "100",
      allowedContracts: [{ address: ODD, methods: ["transferFrom"] }],
    },
  });
  const call = (data: Hex, to: string = ODD) => ({ network, to, asset: "native", amount: "0", data });
  const decided = async ({ id }: { id: string }, body: object) =>
    (await quote(api, key, id, body)).policy.decision;
  const moved = encodeFunctionData({
    abi: erc721Abi,
    functionName: "transferFrom",
    args: [wallet.address, RECIPIENT, 0n],
  });
  const approved = encodeFunctionData({ abi: erc721Abi, functionName: "approve", args: [RECIPIENT, 0n] });
  const safely = encodeFunctionData({
    abi: erc721Abi,
    functionName: "safeTransferFrom",
    args: [wallet.address, RECIPIENT, 0n],
  });
  for (const data of [moved, approved, safely]) expect(await decided(wallet, call(data))).toBe("deny");
  expect(await decided(wallet, { network, to: RECIPIENT, asset: ODD, amount: "0" })).toBe("deny");
  expect(await decided(vouching, call(moved))).toBe("allow");
  expect(await decided(vouching, call(approved))).toBe("deny");
  expect(await decided(wallet, call(approved, sandbox.settings.contracts.usd))).toBe("allow");
});
