import { flushCompileCache } from "node:module";
import { holdLiveness } from "#server/liveness.ts";
import { startDeliverer } from "#server/webhooks/deliverer.ts";
import { startRelay } from "#server/webhooks/relay.ts";

/** A worker that relays and delivers, as a process of its own that a test can kill: `deliver.ts DATABASE_URL DIRECT_URL`. */
const [url = "", directUrl = url] = process.argv.slice(2);
// A process that is killed keeps nothing of what it compiled, and the next would compile it again.
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
