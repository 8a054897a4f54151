import { type Address, getAddress, keccak256, parseEther, toHex } from "viem";
import { expect, test } from "vitest";
import { type SendOptions, startApi, unique } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { startClock } from "#server/testing/cpu.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { startLoops } from "#server/testing/load.ts";
import { startWithStandby } from "#server/testing/standby.ts";
import { createWallet, PLAIN, transactionWith } from "#server/testing/transactions.ts";
import { untilAnswered } from "#server/testing/until-answered.ts";
import { createWebhook, startEndpoint } from "#server/testing/webhooks.ts";
import { verifyRestored } from "../backup/verify-restored.ts";
import { startWork } from "../work.ts";

const AMOUNT = "0.001";
const CREDITS = 100_000;
const FUNDS = { eth: "10" };
/** The longest that a call may take, without the time in which others had the cores. */
const LONGEST_MS = 10_000;
const database = await startWithStandby();
const chain = await startTestChain();
const api = await startApi({
  database: { url: database.url, drop: () => undefined },
  settings: { chains: [chain.settings] },
});

interface Sent {
  id: string;
  walletId: string;
  recipient: Address;
}

/** Returns an address that nobody else has. */
const recipientOf = (name: string) => getAddress(`0x${keccak256(toHex(name)).slice(-40)}`);

/** Starts callers that send from these wallets and create projects; they repeat failed calls until they are stopped. */
function startCallers(key: string, walletIds: readonly string[]) {
  const sent: Sent[] = [];
  const projects: string[] = [];
  let refused = 0;
  let longestMs = 0;

  async function must(status: number, path: string, body: object) {
    const options: SendOptions = { key, body, idempotencyKey: unique("failover") };
    const answer = await untilAnswered(async () => {
      const clock = startClock();
      const answered = await api.send("POST", path, options);
      longestMs = Math.max(longestMs, clock());
      if (answered.status === 503) refused += 1;
      return answered;
    });
    expect([answer.status, answer.body.error]).toEqual([status, undefined]);
    return answer.body;
  }

  async function sendFrom(walletId: string) {
    const recipient = recipientOf(unique("recipient"));
    const path = `/v1/wallets/${walletId}/transactions`;
    const { quote } = await must(201, `${path}/quote`, { ...PLAIN, to: recipient, amount: AMOUNT });
    const { transaction } = await must(202, path, { quoteId: quote.id });
    sent.push({ id: transaction.id, walletId, recipient });
  }

  async function createProject() {
    const { project } = await must(201, "/v1/projects", { name: unique("project") });
    projects.push(project.id);
  }

  const works = [...walletIds.map((id) => () => sendFrom(id)), createProject];
  const { stop } = startLoops(works.map((work) => ({ work, pauseMs: 100 })));
  return { sent, projects, refused: () => refused, longestMs: () => longestMs, stop };
}

test("three failovers under load: each answered send is confirmed once, and each event reaches its endpoint", async () => {
  const { key } = await createPayingKey(api, CREDITS);
  const endpoint = await startEndpoint();
  await createWebhook(api, key, endpoint.url, ["project.created", "wallet.transaction.confirmed"]);
  const wallets = [await createWallet(api, chain, key, FUNDS), await createWallet(api, chain, key, FUNDS)];
  const stops: (() => unknown)[] = [];
  await startWork(api.platform, { databaseUrl: database.url, directUrl: database.url }, stops);
  const callers = startCallers(
    key,
    wallets.map(({ id }) => id),
  );

  async function progress() {
    const [sends, projects] = [callers.sent.length, callers.projects.length];
    await expect.poll(() => callers.sent.length).toBeGreaterThan(sends + 2);
    await expect.poll(() => callers.projects.length).toBeGreaterThan(projects + 2);
  }
  async function refuse() {
    const before = callers.refused();
    await expect.poll(() => callers.refused()).toBeGreaterThan(before + 2);
  }
  await progress();
  await database.killPrimary();
  await database.failOver();
  await progress();

  await database.addStandby();
  await progress();
  database.freezePrimary();
  await refuse();
  await database.killPrimary();
  await database.failOver();
  await progress();

  await database.addStandby();
  await progress();
  database.partStandby();
  await refuse();
  await database.killPrimary();
  await database.failOver();
  await progress();
  await callers.stop();
  expect(callers.longestMs()).toBeLessThan(LONGEST_MS);

  for (const transaction of callers.sent) await transactionWith(api, key, transaction, "confirmed");
  for (const { recipient } of callers.sent)
    expect(await chain.client.getBalance({ address: recipient })).toBe(parseEther(AMOUNT));
  for (const { id, address } of wallets) {
    const ofWallet = callers.sent.filter(({ walletId }) => walletId === id);
    expect(await chain.client.getTransactionCount({ address })).toBe(ofWallet.length);
  }

  const about = (type: string) => {
    const events = endpoint.received.filter(({ body }) => body.type === type).map(({ body }) => body);
    return new Map(events.map(({ id, data }) => [id, (data.project ?? data.transaction).id as string]));
  };
  const delivered = (type: string) => [...about(type).values()].toSorted();
  await expect.poll(() => delivered("project.created")).toEqual(callers.projects.toSorted());
  const ids = callers.sent.map(({ id }) => id);
  await expect.poll(() => delivered("wallet.transaction.confirmed")).toEqual(ids.toSorted());
  const { auditSigningKey } = api.platform.settings;
  expect((await verifyRestored(database.url, null, auditSigningKey, null)).faults).toEqual([]);
  for (const stop of stops.toReversed()) await stop();
});
