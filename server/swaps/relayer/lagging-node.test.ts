import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { startJobs } from "#server/testing/jobs.ts";
import { balanceOf, prepareSwap, sendSteps } from "#server/testing/swaps.ts";
import { startBetween } from "#server/testing/transactions.ts";
import { startRelayer } from "./relayer.ts";

const NONE = { body: { jsonrpc: "2.0", id: 1, result: null } };
const [origin, destination] = await Promise.all([startTestChain(), startTestChain({ chainId: 31338 })]);
/** How often the node was asked for a receipt while it had none, as right after a block has used its nonce. */
let asked = 0;
let lacksReceipts = true;
const lagging = await startBetween(destination, {
  asked(method) {
    if (method !== "eth_getTransactionReceipt" || !lacksReceipts) return undefined;
    asked += 1;
    return NONE;
  },
});
const api = await startApi({ settings: { chains: [origin.settings, lagging] } });
await startJobs(api);
const relayer = startRelayer({ directUrl: api.databaseUrl, account: origin.accounts.relayer });
afterAll(() => relayer.stop());

test("does not count a delivery as lost whose receipt the node lacks while its block is new", async () => {
  const { key } = await api.createRootKey();
  const input = {
    from: { network: "eip155:31337", asset: origin.token("USD"), amount: "100" },
    to: { network: "eip155:31338", asset: "native" },
  };
  const { sender, steps } = await prepareSwap(api, origin, key, input, { eth: "1", usd: "100" });
  await sendSteps(origin, sender, steps);
  await expect.poll(() => balanceOf(destination, "native", sender)).toBeGreaterThan(0n);
  const before = asked;
  const { client } = api.platform.database;
  const statusOf = async (purpose: string) => {
    const rows = await client`select status from relayer_sends where purpose = ${purpose}`;
    return rows.map(({ status }) => status);
  };
  // By then it has been looked for in several turns.
  await expect.poll(async () => asked > before + 5 || (await statusOf("fill"))[0] === "lost").toBe(true);
  expect(await statusOf("fill")).toEqual(["signed"]);
  lacksReceipts = false;
  await destination.mine(2);
  await expect.poll(() => statusOf("fill")).toEqual(["done"]);
  await expect.poll(() => statusOf("claim")).toEqual(["done"]);
});
