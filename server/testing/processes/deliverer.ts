import { flushCompileCache } from "node:module";
import { holdLiveness } from "#server/base/liveness.ts";
import { startDeliverer } from "#server/webhooks/deliverer.ts";
import { startRelay } from "#server/webhooks/relay.ts";

/**
 * A worker that relays and delivers, as a separate process that a test can kill: `deliver.ts DATABASE_URL DIRECT_URL`.
 */
const [url = "", directUrl = url] = process.argv.slice(2);
// Flushed at once, because a killed process would lose its compile cache.
flushCompileCache();
const { name: workerId } = await holdLiveness(directUrl);
const deliverer = startDeliverer({
  url,
  workerId,
  sealingKeys: [new Uint8Array(32)],
  allowLoopback: true,
  onFailure: async () => undefined,
});
startRelay({ url, onQueued: deliverer.wakeUp, onFollowed: () => undefined });
