import postgres from "postgres";
import { defined } from "../defined.ts";
import { uuidOf } from "../ids.ts";
import { holdLiveness } from "../liveness.ts";
import { startRunEngine } from "../runs/run-engine.ts";
import { startBenchApi } from "./bench-api.ts";
import { benchService } from "./bench-service.ts";
import { median } from "./report.ts";

// Measures how fast empty runs are claimed among 100,000 queued ones with ten concurrency keys and with a thousand:
// `node claims.ts DATABASE_URL` prints runs per second as JSON.
const databaseUrl = defined(process.argv[2]);
const QUEUED = 100_000;
const CLAIMED = 2000;
const SLOTS = 8;
const ROUNDS = 3;

let finished = 0;
const bench = benchService("nothing", async () => {
  finished += 1;
});

const { post, createKey, close } = await startBenchApi(databaseUrl, {
  settings: { services: [bench] },
});
// Without the statement timeout of the platform's own connections.
const client = postgres(databaseUrl, { max: 2, onnotice: () => undefined });

/**
 * Queues copies of a run as calls would, each waiting for a slot of one of `keys` keys; each key has been signalled
 * once.
 */
async function queueCopies(accountId: string, keys: number): Promise<void> {
  const account = uuidOf("account", accountId);
  await client`
    with copies as (
      insert into runs (account_id, id, service_id, operation_id, status, input, max_attempts, caller_type, caller_id, key_ids,
        privacy_tier, request_id, held_credits, last_seq, concurrency, queued_at, expires_at)
      select r.account_id, uuidv7(), r.service_id, r.operation_id, 'queued', r.input, 1, r.caller_type, r.caller_id, r.key_ids,
        r.privacy_tier, r.request_id, 0, 1,
        jsonb_build_array(jsonb_build_object('key', 'key-' || n % ${keys}, 'limit', 10, 'hold', 'running')),
        clock_timestamp(), r.expires_at
      from runs r, generate_series(1, ${QUEUED}) n where r.account_id = ${account}
      returning account_id, id, concurrency, queued_at),
    slots as (
      insert into run_slots (account_id, run_id, key, space, hold, state, place)
      select account_id, id, concurrency->0->>'key', account_id, 'running', 'waiting', queued_at from copies),
    keys as (
      insert into concurrency_keys (account_id, space, key, most, used_at)
      select ${account}, ${account}, 'key-' || n, 10, clock_timestamp() from generate_series(0, ${keys - 1}) n)
    insert into slot_signals (account_id, space, key)
    select ${account}, ${account}, 'key-' || n from generate_series(0, ${keys - 1}) n`;
  await client`vacuum (analyze) runs, run_slots, slot_signals, concurrency_keys`;
}

async function claimsPerSecond(keys: number): Promise<number> {
  const { accountId, headers } = await createKey(["runs:read", "runs:write"]);
  await post("/runs", headers, { serviceId: "bench", operationId: "nothing", input: {} });
  await queueCopies(accountId, keys);
  const liveness = await holdLiveness(databaseUrl);
  finished = 0;
  const begun = performance.now();
  const engine = await startRunEngine({
    url: databaseUrl,
    directUrl: databaseUrl,
    liveness,
    slots: SLOTS,
    perAccount: SLOTS,
  });
  while (finished < CLAIMED) await new Promise((resolve) => setTimeout(resolve, 2));
  const seconds = (performance.now() - begun) / 1000;
  await engine.stop();
  await liveness.release();
  await client`truncate runs, run_slots, slot_signals, concurrency_keys`;
  return CLAIMED / seconds;
}

const rounds = { ten: [] as number[], thousand: [] as number[] };
for (let round = 0; round < ROUNDS; round++) {
  rounds.ten.push(await claimsPerSecond(10));
  rounds.thousand.push(await claimsPerSecond(1000));
}
console.log(JSON.stringify({ ten: median(rounds.ten), thousand: median(rounds.thousand) }));
await client.end();
await close();
