import { once } from "node:events";
import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { bridgeAbi } from "#server/providers/chain/abi.ts";
import type { TestChain } from "#server/testing/chain.ts";
import { startNode } from "#server/testing/children.ts";
import { startPeer } from "#server/testing/peer.ts";
import { processPath } from "#server/testing/program-path.ts";
import { balanceOf, prepareSwap, sendSteps, startSwaps } from "#server/testing/swaps.ts";
import { startRelayer } from "./relayer.ts";

const { origin, destination, api, readUntil } = await startSwaps();
const bridge = defined(origin.settings.contracts.bridge);
const usd = origin.token("USD");

/**
 * Starts a proxy of a chain's node for the relayer's process: it forwards a transaction or not, and then stops
 * responding.
 */
async function startHeldNode({ settings }: TestChain) {
  const held: { when: "never" | "unsent" | "sent"; caught: () => unknown } = {
    when: "never",
    caught: () => undefined,
  };
  const { origin: rpcUrl } = await startPeer(async ({ body }) => {
    const hold = body.includes("eth_sendRawTransaction") ? held.when : "never";
    const headers = { "content-type": "application/json" };
    const answer = hold === "unsent" ? null : await fetch(settings.rpcUrl, { method: "POST", headers, body });
    if (answer && hold === "never") return { body: await answer.text() };
    held.caught();
    return "hang";
  });
  return { settings: { ...settings, rpcUrl }, held };
}

const nodes = { origin: await startHeldNode(origin), destination: await startHeldNode(destination) };
const chains = JSON.stringify([nodes.origin.settings, nodes.destination.settings]);

/** Runs a relayer until it is about to learn that a chain has accepted its transaction, and kills it there. */
async function killAt(chain: keyof typeof nodes, when: "unsent" | "sent") {
  const { held } = nodes[chain];
  const caught = new Promise((resolve) => Object.assign(held, { when, caught: resolve }));
  const child = startNode([processPath("relayer"), api.databaseUrl, chains]);
  await caught;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
  held.when = "never";
}

/** Deposits 100 USD for ETH on the other chain, for which no allowance is needed. */
async function deposit(key: string) {
  const input = {
    from: { network: "eip155:31337", asset: usd, amount: "100" },
    to: { network: "eip155:31338", asset: "native" },
  };
  const prepared = await prepareSwap(api, origin, key, input, { eth: "1", usd: "100" });
  await sendSteps(origin, prepared.sender, prepared.steps);
  return prepared;
}

test("delivers and claims each order once, wherever between the two its process is killed", async () => {
  const { key } = await api.createRootKey();
  const relayer = origin.accounts.relayer.address;
  const before = await balanceOf(origin, usd, relayer);
  const first = await deposit(key);
  await killAt("destination", "unsent");
  await killAt("destination", "sent");
  await killAt("origin", "unsent");
  await killAt("origin", "sent");
  const second = await deposit(key);
  await killAt("destination", "sent");
  const last = startRelayer({ directUrl: api.databaseUrl, account: origin.accounts.relayer });
  for (const { sender, routeId } of [first, second]) {
    const route = await readUntil(key, `/v1/swaps/routes/${routeId}`, "completed");
    expect(await balanceOf(destination, "native", sender)).toBe(
      BigInt(route.received.replace(".", "").padEnd(route.received.split(".")[0].length + 18, "0")),
    );
  }
  const claimed = async () => (await balanceOf(origin, usd, relayer)) - before;
  await expect.poll(claimed).toBe(200_000_000n);
  const done = () => api.platform.database.client`
    select purpose, count(*)::int as sent from relayer_sends where status = 'done' group by purpose order by purpose`;
  await expect.poll(done).toMatchObject([
    { purpose: "claim", sent: 2 },
    { purpose: "fill", sent: 2 },
  ]);
  await last.stop();
  const events = (chain: TestChain, eventName: "Filled" | "Claimed") =>
    chain.client.getContractEvents({ address: bridge, abi: bridgeAbi, eventName, fromBlock: 0n });
  expect([await events(destination, "Filled"), await events(origin, "Claimed")]).toMatchObject([
    { length: 2 },
    { length: 2 },
  ]);
});
