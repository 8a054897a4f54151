import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { defined } from "../defined.ts";
import { newId, uuidOf } from "../ids.ts";
import { handleInbound } from "../triggers/inbound/handle-inbound.ts";
import { startBenchApi } from "./bench-api.ts";

// How long a provider waits for its answer at 500 signed deliveries a second, and how many of those answered 202 are not stored:
// `node inbound.ts DATABASE_URL [SECONDS]` prints it as JSON. The sender shares the process; runs are not started meanwhile. A
// delivery counts from when it was due, so that a slow answer delays no other's measure.
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

const dispatcher = new Agent({ connections: 64, pipelining: 1 });
const body = JSON.stringify({ action: "opened", issue: { number: 7, body: "x".repeat(1000) } });
const signature = `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`;

/** Delivers once, and returns the milliseconds since it was due; null where it was not taken. */
async function deliver(nth: number, dueAt: number): Promise<number | null> {
  await sleep(Math.max(0, dueAt - performance.now()));
  const answer = await request(`http://127.0.0.1:${port}${addresses[nth % TRIGGERS]}`, {
    method: "POST",
    dispatcher,
    body,
    headers: {
      "content-type": "application/json",
      "x-github-event": "issues",
      "x-github-delivery": newId("request"),
      "x-hub-signature-256": signature,
    },
  });
  await answer.body.dump();
  return answer.statusCode === 202 ? performance.now() - dueAt : null;
}

async function deliverAll(count: number): Promise<(number | null)[]> {
  const began = performance.now();
  return Promise.all(
    Array.from({ length: count }, (_, nth) => deliver(nth, began + (nth * 1000) / PER_SECOND)),
  );
}

const warm = await deliverAll(WARM_UP);
// The minute in which a trigger takes 6,000 begins anew.
await sleep(60_000 - (Date.now() % 60_000));
const answers = await deliverAll(SECONDS * PER_SECOND);
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
await dispatcher.close();
await close();
