import postgres from "postgres";
import { defined } from "../base/defined.ts";
import { holdLiveness } from "../base/liveness.ts";
import { startRunEngine } from "../runs/run-engine.ts";
import { startBenchApi } from "./bench-api.ts";
import { benchService } from "./bench-service.ts";
import { queueCopies } from "./queue-copies.ts";
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

async function claimsPerSecond(keys: number): Promise<number> {
  const { accountId, headers } = await createKey(["runs:read", "runs:write"]);
  await post("/runs", headers, { serviceId: "bench", operationId: "nothing", input: {} });
  await queueCopies(client, accountId, QUEUED, keys);
  await client`vacuum (analyze) runs, run_slots, slot_signals, concurrency_keys`;
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
