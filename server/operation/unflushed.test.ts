import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { uuidOf } from "#server/base/ids.ts";
import { portOf } from "#server/boot/processes.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { onCleanup } from "#server/testing/cleanup.ts";
import { startTestCluster } from "#server/testing/cluster.ts";
import { eventually } from "#server/testing/eventually.ts";
import { createWallet, PLAIN } from "#server/testing/transactions.ts";

const cluster = await startTestCluster();
/** The message by which the database says that it has committed and is ready for the next statement. */
const READY = Buffer.from("Z\0\0\0\u0005I", "latin1");
let armed = false;

/** Starts a proxy of the database that, once armed, kills it right after it has confirmed storing a call's response. */
async function startKillingProxy() {
  const clients = new Set<Socket>();
  const server = createServer({ pauseOnConnect: true }, async (client) => {
    clients.add(client.on("error", () => undefined).on("close", () => clients.delete(client)));
    await cluster.untilUp();
    const database = connect(Number(new URL(cluster.url).port), "127.0.0.1").on("error", () => undefined);
    let [described, answered] = [false, false];
    client.on("data", (bytes) => void database.write(bytes));
    database.on("data", async (bytes) => {
      // A statement is described once, before its first response.
      described ||= armed && bytes.includes("unwaiting");
      answered ||= described && bytes.includes("SELECT 1\0");
      if (answered && !armed) return;
      if (!answered || !bytes.subarray(-6).equals(READY)) return void client.write(bytes);
      armed = false;
      cluster.kill();
      for (const other of clients) if (other !== client) other.destroy();
      // By then the other connections are known to be gone.
      await sleep(200);
      client.end(bytes);
    });
    database.on("close", () => answered || client.destroySoon());
    client.on("close", () => database.destroy()).resume();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onCleanup(() => void server.close());
  return cluster.url.replace(/:\d+(?=\/)/, `:${portOf(server)}`);
}

const chain = await startTestChain();
const api = await startApi({
  database: { url: await startKillingProxy(), drop: cluster.drop },
  settings: { chains: [chain.settings] },
});

const { client } = api.platform.database;

/** Returns whether a response is stored under the key, once the database is there. */
const isStored = (idempotencyKey: string) =>
  eventually(async () => {
    const found = client`select from idempotency_records where key = ${idempotencyKey} and state = 'done'`;
    return found.then(
      ({ length }) => ({ stored: length === 1 }),
      () => undefined,
    );
  });

/** Quotes while the database is killed; returns the response, and whether it was stored and lost. */
async function quoteKilled(key: string) {
  const wallet = await createWallet(api, chain, key);
  const path = `/v1/wallets/${wallet.id}/transactions/quote`;
  const call = { key, idempotencyKey: unique("quote"), body: PLAIN };
  armed = true;
  const answer = await api.send("POST", path, call);
  const { stored } = await isStored(call.idempotencyKey);
  // The call may be given up before it stores anything, or the log may be written meanwhile.
  return { wallet, path, call, answer, stored, lost: !armed && !stored };
}

test("does not report a write as stored that the killed database had not flushed", async () => {
  const { key } = await api.createRootKey();
  let last = await quoteKilled(key);
  for (; !last.lost; last = await quoteKilled(key))
    expect(last.stored || last.answer.status === 503).toBe(true);
  const { wallet, path, call, answer } = last;
  expect([answer.status, answer.body.error]).toMatchObject([
    503,
    { code: "service_unavailable", operationState: "unknown", retryable: true },
  ]);
  const repeated = await api.mustSend(201, "POST", path, call);
  const quotes = await client`select id from quotes where wallet_id = ${uuidOf("wallet", wallet.id)}`;
  expect(quotes.map(({ id }) => id)).toEqual([uuidOf("quote", repeated.quote.id)]);
});
