import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { Agent, request } from "undici";
import { defined } from "../base/defined.ts";
import { newId, newUuid, uuidOf } from "../base/ids.ts";
import { holdLiveness } from "../base/liveness.ts";
import { startDeliverer } from "../webhooks/deliverer.ts";
import { startRelay } from "../webhooks/relay.ts";
import { newWebhookSecret, sealSecret } from "../webhooks/secrets.ts";
import { filterColumns } from "../webhooks/settings/compile-filter.ts";
import { median } from "./report.ts";

// Measures deliveries from the outbox to their endpoint, signed and recorded, beside a bare loop that posts the same
// bodies from the same process, and with a filter that all of them pass: `node webhooks.ts DATABASE_URL` prints the
// rates as JSON.
const databaseUrl = defined(process.argv[2]);
const CONCURRENCY = 64;
const EVENTS = 15_000;
const ROUNDS = 5;

const receiver = spawn(process.execPath, [fileURLToPath(new URL("receiver.ts", import.meta.url))], {
  stdio: ["ignore", "pipe", "inherit"],
});
const [port] = await once(createInterface(receiver.stdout), "line");
const url = `http://127.0.0.1:${port}/`;
const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
const accountId = newId("account");
const owner = { accountId, id: newId("webhook") };
const sealingKeys = [new Uint8Array(32)];
const account = uuidOf("account", accountId);
const webhook = uuidOf("webhook", owner.id);
await sql`insert into webhooks (account_id, id, url, events, status, secret, updated_at)
  values (${account}, ${webhook}, ${url}, '{*}', 'active', ${sealSecret(sealingKeys, owner, newWebhookSecret())}, now())`;
await sql`insert into webhook_health (account_id, webhook_id) values (${account}, ${webhook})`;

const payload = JSON.stringify({ data: { project: { name: "x".repeat(500) } } });

async function postBare(): Promise<number> {
  const dispatcher = new Agent({ connections: CONCURRENCY, pipelining: 1 });
  let left = EVENTS;
  const started = performance.now();
  async function loop() {
    while (left-- > 0) {
      const { body } = await request(url, {
        method: "POST",
        dispatcher,
        body: payload,
        headers: { "content-type": "application/json" },
      });
      await body.dump();
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, loop));
  const rate = (EVENTS / (performance.now() - started)) * 1000;
  await dispatcher.close();
  return rate;
}

const { filter, filterPath } = filterColumns([
  { path: "data.project.name", op: "prefix", value: "x" },
  { path: "data.project.name", op: "ne", value: "y" },
]);

async function deliver(filtered: boolean): Promise<number> {
  await sql`update webhooks set filter = ${filtered ? sql.json(filter) : null},
    filter_path = ${filtered ? filterPath : null}::text::jsonpath where account_id = ${account}`;
  const ids = Array.from({ length: EVENTS }, () => newUuid());
  await sql`insert into outbox (account_id, id, type, scope, account_wide, payload)
    select ${account}::uuid, id, 'project.created', 'projects:read', false, ${payload} from unnest(${ids}::uuid[]) id`;
  const liveness = await holdLiveness(databaseUrl);
  const started = performance.now();
  const deliverer = startDeliverer({
    url: databaseUrl,
    workerId: liveness.name,
    sealingKeys,
    allowLoopback: true,
    onFailure: async (failed) => {
      throw new Error(`${failed.length} endpoints failed.`);
    },
  });
  const relay = startRelay({ url: databaseUrl, onQueued: deliverer.wakeUp, onFollowed: () => undefined });
  for (;;) {
    const [row] =
      await sql`select (select count(*) from outbox) + (select count(*) from webhook_queue) as left`;
    if (Number(row?.left) === 0) break;
    await sleep(10);
  }
  const rate = (EVENTS / (performance.now() - started)) * 1000;
  await relay.stop();
  await deliverer.stop();
  await liveness.release();
  return rate;
}

await postBare();
await deliver(false);
const bare: number[] = [];
const delivered: number[] = [];
const filtered: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  bare.push(await postBare());
  delivered.push(await deliver(false));
  filtered.push(await deliver(true));
}
console.log(JSON.stringify({ bare: median(bare), delivered: median(delivered), filtered: median(filtered) }));
receiver.kill();
await sql.end({ timeout: 5 });
