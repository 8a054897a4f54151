import type { Platform } from "#server/platform.ts";
import { startDeliverer } from "./deliverer.ts";
import { handleFailures } from "./handle-failures.ts";
import { startRelay } from "./relay.ts";

/** Runs a worker's part of webhooks: relays events and delivers them, until it is stopped. */
export function startWebhooks(
  { database, settings, changes, wakeUps }: Platform,
  url: string,
  workerId: string,
) {
  const deliverer = startDeliverer({
    url,
    workerId,
    sealingKeys: settings.sealingKeys,
    allowLoopback: settings.sandbox,
    onChange: (accountId) => changes.publish(accountId, "webhookDeliveries"),
    onFailure: (failed, gone) => handleFailures(database.db, failed, gone),
  });
  const relay = startRelay({
    url,
    onQueued: deliverer.wakeUp,
    onFollowed: (accountId) => changes.publish(accountId, "events"),
    onResumed: () => wakeUps.send("runs"),
  });
  return {
    async stop() {
      await relay.stop();
      await deliverer.stop();
    },
  };
}
