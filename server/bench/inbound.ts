import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { defined } from "../base/defined.ts";
import { uuidOf } from "../base/ids.ts";
import { handleInbound } from "../triggers/inbound/handle-inbound.ts";
import { startBenchApi } from "./bench-api.ts";

// Measures how long a provider waits for its response at 500 signed deliveries per second, and how many of those
// answered 202 are not stored: `node inbound.ts DATABASE_URL [SECONDS]` prints it as JSON. The sender is a separate
// thread; runs are not started meanwhile.
const databaseUrl = defined(process.argv[2]);
const SECONDS = Number(process.argv[3] ?? 60);
const PER_SECOND = 500;
const TRIGGERS = 6;
const WARM_UP = 500;
const SECRET = "bench-secret";

const { platform, port, post, createKey, close } = await startBenchApi(databaseUrl, {
  handlers: { "/in": handleInbound },
});
const { client } = platform.database;
const scopes = ["runs:read", "runs:write", "services:invoke"];
const { accountId, headers } = await createKey(scopes, { credits: 1000 });

async function putInbound(nth: number): Promise<string> {
  const { result } = await post("/services/managed-triggers/invoke", headers, {
    operationId: "put",
    input: {
      name: `in-${nth}`,
      on: { webhook: { scheme: "github", secret: SECRET, requestsPerMinute: 6000 } },
      start: { serviceId: "managed-memory", operationId: "put", input: { name: "seen", content: "It." } },
    },
  });
  return new URL(result.trigger.on.webhook.address).pathname;
}
const addresses = await Promise.all(Array.from({ length: TRIGGERS }, (_, nth) => putInbound(nth)));

const sender = new Worker(new URL("inbound-sender.ts", import.meta.url), {
  workerData: {
    addresses: addresses.map((path) => `http://127.0.0.1:${port}${path}`),
    secret: SECRET,
    perSecond: PER_SECOND,
  },
});

/** Sends deliveries, and returns the milliseconds that each took; null if it was not accepted. */
async function deliverAll(count: number): Promise<(number | null)[]> {
  sender.postMessage(count);
  const [times] = await once(sender, "message");
  return times;
}

const warm = await deliverAll(WARM_UP);
// Starts at a new minute, because a trigger accepts 6,000 deliveries per minute.
await sleep(60_000 - (Date.now() % 60_000));
const answers = await deliverAll(SECONDS * PER_SECOND);
await sender.terminate();
const times = answers.filter((ms) => ms !== null).sort((a, b) => a - b);
const [row] = await client<{ stored: number }[]>`
  select count(*)::int as stored from trigger_ticks where account_id = ${uuidOf("account", accountId)}`;
const taken = times.length + warm.filter((ms) => ms !== null).length;
const percentile = (part: number) => times[Math.floor(times.length * part)];
console.log(
  JSON.stringify({
    deliveries: answers.length,
    refused: answers.length - times.length,
    lost: taken - (row?.stored ?? 0),
    p50: percentile(0.5),
    p95: percentile(0.95),
    most: times.at(-1),
  }),
);
await close();
