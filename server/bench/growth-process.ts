import { defined } from "../base/defined.ts";
import { holdLiveness } from "../base/liveness.ts";
import { startRunEngine } from "../runs/run-engine.ts";
import { startDeliverer } from "../webhooks/deliverer.ts";
import { startRelay } from "../webhooks/relay.ts";
import { startBenchApi } from "./bench-api.ts";
import { benchService } from "./bench-service.ts";

// Runs the API, a worker for runs and one for deliveries in one process, for `growth.ts`: `node growth-process.ts
// DATABASE_URL` prints its port.
const databaseUrl = defined(process.argv[2]);
const SLOTS = 8;

const bench = benchService("three-steps", async ({ step }) => {
  await step("first", async () => 1);
  await step("second", async () => 2);
  await step("third", async () => 3);
});

const { platform, port } = await startBenchApi(databaseUrl, { settings: { services: [bench] } });
const liveness = await holdLiveness(databaseUrl);
await startRunEngine({ url: databaseUrl, directUrl: databaseUrl, liveness, slots: SLOTS, perAccount: SLOTS });
const deliverer = startDeliverer({
  url: databaseUrl,
  workerId: liveness.name,
  sealingKeys: platform.settings.sealingKeys,
  allowLoopback: true,
  onFailure: async (failed) => {
    throw new Error(`${failed.length} endpoints failed.`);
  },
});
startRelay({ url: databaseUrl, onQueued: deliverer.wakeUp, onFollowed: () => undefined });
console.log(port);
