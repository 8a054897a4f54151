import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { installCli } from "#server/testing/cli.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createRun, runWith, startRuns } from "#server/testing/runs.ts";
import { createShell, examplesIn } from "#server/testing/shell-walk.ts";
import { orderWith, placeOrder } from "#server/testing/trading.ts";
import { createWallet } from "#server/testing/transactions.ts";
import { remember } from "#server/testing/triggers.ts";
import { createWebhook, startDelivering, startEndpoint } from "#server/testing/webhooks.ts";
import { repairingPage } from "./guides/repairing.ts";

const chain = await startTestChain();
const api = await startApi({ settings: { chains: [chain.settings] } });
await startRuns(api);
await startDelivering(api);
const cli = await installCli(api.origin);
const { written, execute } = await createShell(api.origin, [cli.bin]);
const { blocks } = repairingPage("http://platform.test");

/** Creates an account with all problems that the guide fixes: a paused webhook, a waiting import, an open order. */
async function createTroubled() {
  const { key } = await createPayingKey(api, 1000);
  const endpoint = await startEndpoint();
  const { webhook } = await createWebhook(api, key, endpoint.url, ["run.*"]);
  const setStatus = (status: string) =>
    api.mustSend(200, "PATCH", `/v1/webhooks/${webhook.id}`, { key, body: { status } });
  await setStatus("paused");
  const missed = (await createRun(api, key, remember)).body.run;
  await runWith(api, key, missed.id, "succeeded");
  await setStatus("active");
  const startAt = new Date(Date.now() + 3_600_000).toISOString();
  const imported = (await createRun(api, key, { ...remember, startAt, tags: ["import"] })).body.run;
  const wallet = await createWallet(api, chain, key, { eth: "1", usd: "100000" });
  const terms = { walletId: wallet.id, side: "buy", type: "limit", quantity: "1", limitPrice: "1000" };
  const order = await placeOrder(api, key, terms);
  return { key, endpoint, missed, imported, order };
}

test.each([
  ["by curl and the command line", "bash", "sh", 5],
  ["by the SDK", process.execPath, "ts", 3],
])("the guide to repairs mends the failures that it names, %s", async (_, command, language, retries) => {
  const { key, endpoint, missed, imported, order } = await createTroubled();
  const [first, ...rest] = examplesIn(language, blocks);
  const script = [language === "sh" ? "set -euo pipefail" : "", first, ...rest].join("\n");
  await execute(command, [written(`repairing.${language === "sh" ? "sh" : "mts"}`, script)], {
    API_KEY: key,
  });

  const { runs } = (await api.send("GET", "/v1/runs?status=failed", { key })).body;
  expect(runs).toMatchObject([{ error: { step: "steps.address", code: "not_found" }, retryOf: null }]);
  const retried = async () => (await api.send("GET", `/v1/runs?retryOf=${runs[0].id}`, { key })).body.runs;
  await expect
    .poll(async () => (await retried()).map(({ status }: { status: string }) => status))
    .toEqual(Array.from({ length: retries }, () => "succeeded"));
  for (const { timeline } of await retried())
    expect(timeline.map(({ step }: { step: string }) => step)).not.toContain("steps.letter");
  await runWith(api, key, imported.id, "cancelled");
  await orderWith(api, key, order, "cancelled");
  const received = () => endpoint.received.map(({ body }) => [body.type, body.data.run?.id]);
  await expect.poll(received).toContainEqual(["webhook.test", undefined]);
  await expect.poll(received).toContainEqual(["run.succeeded", missed.id]);
});
