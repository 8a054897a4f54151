import { afterAll, expect, test } from "vitest";
import { startApi } from "../../testing/api.ts";
import { startKms } from "../../testing/kms.ts";
import { startMetrics } from "./start-metrics.ts";

const kms = await startKms();
const api = await startApi({ settings: { vault: { keys: () => [], kms: kms.settings } } });
const options = { directUrl: api.databaseUrl, dataDir: "/tmp", readsDatabase: false };
const metrics = await startMetrics(api.platform, { port: 0, host: "127.0.0.1", token: null }, options);
afterAll(metrics.stop);

test("says that the service is away which wraps the keys of wallets", async () => {
  const scrape = async () => (await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).text();
  await expect.poll(scrape).toContain('platform_component_up{component="vault"} 1\n');
  await kms.stop();
  await expect.poll(scrape).toContain('platform_component_up{component="vault"} 0\n');
});
