import { afterAll, expect, test } from "vitest";
import { startMetrics } from "#server/boot/metrics/start-metrics.ts";
import { openSmtp } from "#server/providers/mail/smtp.ts";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { startMailServer } from "#server/testing/mail-server.ts";
import { type PeerAnswer, startPeer } from "#server/testing/peer.ts";

let listed: PeerAnswer = { body: { object: "list", data: [] } };
const models = () => listed;
let model = await startPeer(models);
let supported: PeerAnswer | "hang" = { body: { kinds: [] } };
const facilitator = await startPeer(() => supported);
let smtp = await startMailServer();
const chain = await startTestChain();
const api = await startApi({
  settings: {
    chains: [chain.settings],
    model: { baseUrl: `${model.origin}/v1`, names: ["small"], apiKey: "sk-operator" },
    payments: { treasury: chain.accounts.treasury.address, facilitator: `${facilitator.origin}/x402/` },
  },
});
api.platform.mailer = openSmtp({
  url: smtp.url.replace("//", "//who:secret@"),
  from: "platform@example.test",
});
const metrics = await startMetrics(
  api.platform,
  { port: 0, host: "127.0.0.1", token: null },
  { directUrl: api.databaseUrl, dataDir: "/tmp", readsDatabase: false },
);
afterAll(metrics.stop);

const answered = (name: string) => ({ name, ok: true, durationMs: expect.any(Number), message: null });
const failed = (name: string, message: string) => ({ name, ok: false, durationMs: null, message });

/** Returns the status of `/health` with the checks of these services. */
async function readHealth() {
  const { status, body } = await api.send("GET", "/health");
  const names = ["model", "mail", "facilitator"];
  const checks = body.checks.filter(({ name }: { name: string }) => names.includes(name));
  return [status, body.status, checks];
}

test("asks each configured service once for many callers, by a request that costs nothing", async () => {
  await Promise.all(Array.from({ length: 20 }, readHealth));
  expect(model.received.length).toBeLessThan(5);
  expect(model.received[0]).toMatchObject({
    method: "GET",
    path: "/v1/models",
    headers: { authorization: "Bearer sk-operator" },
  });
  expect(facilitator.received.length).toBeLessThan(5);
  expect(facilitator.received[0]).toMatchObject({ method: "GET", path: "/x402/supported" });
  expect(smtp.mails).toEqual([]);
  await expect
    .poll(readHealth)
    .toEqual([200, "ok", [answered("model"), answered("mail"), answered("facilitator")]]);
});

test("reports the services in the metrics", async () => {
  const scrape = async () => (await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).text();
  for (const component of ["model", "mail", "facilitator"])
    await expect.poll(scrape).toContain(`platform_component_up{component="${component}"} 1\n`);
});

test("names the service that is away, and is well again when it returns", async () => {
  const noModel = failed("model", "The model endpoint (MODEL_BASE_URL) is not available.");
  await model.stop();
  await expect
    .poll(readHealth)
    .toEqual([200, "degraded", [noModel, answered("mail"), answered("facilitator")]]);

  model = await startPeer(models, model.port);
  await smtp.stop();
  const noMail = failed("mail", "The mail server (SMTP_URL) is not available.");
  await expect
    .poll(readHealth)
    .toEqual([200, "degraded", [answered("model"), noMail, answered("facilitator")]]);

  smtp = await startMailServer(smtp.port);
  supported = "hang";
  const silent = failed(
    "facilitator",
    "The facilitator of payments (FACILITATOR_URL) did not answer within 1000 ms.",
  );
  await expect.poll(readHealth).toEqual([200, "degraded", [answered("model"), answered("mail"), silent]]);

  supported = { status: 404 };
  listed = { status: 503 };
  await expect
    .poll(readHealth)
    .toEqual([200, "degraded", [noModel, answered("mail"), answered("facilitator")]]);

  listed = { status: 403 };
  await expect
    .poll(readHealth)
    .toEqual([200, "ok", [answered("model"), answered("mail"), answered("facilitator")]]);
});
