import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startDelivering, startEndpoint } from "#server/testing/webhooks.ts";
import { Platform } from "../../clients/typescript/src/index.ts";
import { verifyWebhook, WebhookVerificationError } from "../../clients/typescript/src/webhooks.ts";

const api = await startApi();
const { key } = await api.createRootKey();
const platform = new Platform({ apiKey: key, baseUrl: api.origin });
await startDelivering(api);
const endpoint = await startEndpoint();
const { webhook, secret } = await platform.webhooks.create({
  url: endpoint.url,
  events: ["project.created"],
});
await platform.projects.create({ name: "Größe" });

/** Waits for the delivery. */
async function delivered() {
  await expect.poll(() => endpoint.received.length).toBe(1);
  const [{ raw, headers }] = endpoint.received as [(typeof endpoint.received)[number]];
  const without = (...names: string[]) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
  return { raw, headers, without };
}

test("verifies a delivery by either signature, and types its event", async () => {
  const { raw, headers, without } = await delivered();
  for (const sent of [headers, without("webhook-signature"), without("x-service-signature")]) {
    const event = await verifyWebhook(raw, sent, secret);
    if (event.type !== "project.created") throw new Error(event.type);
    expect(event.data.project.name).toBe("Größe");
  }
  const request = new Headers(without("connection") as Record<string, string>);
  expect((await verifyWebhook(Buffer.from(raw), request, secret)).type).toBe("project.created");
});

test("takes the secrets of a rotation", async () => {
  const { raw, headers } = await delivered();
  const rotated = await platform.webhooks.rotate(webhook.id, {});
  await verifyWebhook(raw, headers, [rotated.secret, secret]);
  await expect(verifyWebhook(raw, headers, rotated.secret)).rejects.toThrow(WebhookVerificationError);
});

test("refuses another body, an old delivery, and one without a signature", async () => {
  const { raw, headers, without } = await delivered();
  const refused = [
    () => verifyWebhook(raw.replace("Größe", "Other"), headers, secret),
    () => verifyWebhook(raw, headers, secret, { toleranceSeconds: -1 }),
    () =>
      verifyWebhook(
        raw,
        { ...headers, "webhook-timestamp": "1", "x-service-signature": "t=1,v1=00" },
        secret,
      ),
    () => verifyWebhook(raw, without("webhook-signature", "x-service-signature"), secret),
    () =>
      verifyWebhook(raw, { ...headers, "webhook-signature": "v1,%", "x-service-signature": "v1=" }, secret),
  ];
  for (const one of refused) await expect(one()).rejects.toThrow(WebhookVerificationError);
});
