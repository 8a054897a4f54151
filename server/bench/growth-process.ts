import { z } from "zod";
import { defined } from "../defined.ts";
import { holdLiveness } from "../liveness.ts";
import { startRunEngine } from "../runs/run-engine.ts";
import { capability, type ServiceDefinition } from "../services/service.ts";
import { startDeliverer } from "../webhooks/deliverer.ts";
import { startRelay } from "../webhooks/relay.ts";
import { startBenchApi } from "./bench-api.ts";

// The API, a worker for runs and one for deliveries in one process, as `growth.ts` starts them: `node growth-process.ts
// DATABASE_URL` prints its port.
const databaseUrl = defined(process.argv[2]);
const SLOTS = 8;

const bench: ServiceDefinition = {
  id: "bench",
  name: "Bench",
  description: "Runs that do nothing.",
  capabilities: [
    capability({
      id: "three-steps",
      title: "Take three steps",
      description: "Does nothing, three times.",
      input: z.strictObject({}),
      output: z.object({}),
      modes: ["run"],
      readOnly: false,
      destructive: false,
      requiresApproval: false,
      price: { unit: "call", credits: 0, maximum: 0 },
      async run({ step }) {
        await step("first", async () => 1);
        await step("second", async () => 2);
        await step("third", async () => 3);
        return {};
      },
    }),
  ],
};

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
