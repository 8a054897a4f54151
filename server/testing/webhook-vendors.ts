import { createHmac } from "node:crypto";
import { sign as signAsGitHub, verify as verifyAsGitHub } from "@octokit/webhooks-methods";
import "@shopify/shopify-api/adapters/web-api";
import { ApiVersion, LogSeverity, shopifyApi } from "@shopify/shopify-api";
import { createSHA256HMAC, HashFormat } from "@shopify/shopify-api/runtime";
import { isValidSlackRequest } from "@slack/bolt";
import { Webhook } from "standardwebhooks";
import Stripe from "stripe";
import { Webhook as SvixWebhook } from "svix";

type Headers = Record<string, string>;

interface Delivery {
  body: string;
  headers: Headers;
}

/** A provider, whose own library signs and verifies; Slack's only verifies. */
interface Vendor {
  webhook: { scheme: string; secret: string };
  /** Signs a delivery at a time (in seconds), with an id of the provider's. */
  send(id: string, at: number): Promise<Delivery> | Delivery;
  /** True if the provider's own library accepts the delivery now. */
  accepts(secret: string, delivery: Delivery): Promise<boolean> | boolean;
  name: string;
  shown: Headers;
  /** True if it signs the time. */
  isTimed: boolean;
  signature: string;
}

const WHSEC = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=";
const standard = new Webhook(WHSEC);
const svix = new SvixWebhook(WHSEC);
const STRIPE_SECRET = "whsec_stripe_0123456789abcdef";
export const GITHUB_SECRET = "It's a Secret to Everybody";
const SLACK_SECRET = "8f742231b10e8888abcd99yyyzzz85a5";
const SHOPIFY_SECRET = "shpss_8f742231b10e8888";

/** True if a library that throws on refusal accepts a delivery. */
function takes(verify: () => unknown): boolean {
  try {
    verify();
    return true;
  } catch {
    return false;
  }
}

/** A text with different lengths in bytes and in characters. */
const TITLE = "Zürich, 東京 🛒";

export const VENDORS: Record<string, Vendor> = {
  "Standard Webhooks": {
    webhook: { scheme: "standard", secret: WHSEC },
    send(id, at) {
      const body = JSON.stringify({ type: "user.created", data: { id, title: TITLE } });
      const signature = standard.sign(id, new Date(at * 1000), body);
      return {
        body,
        headers: {
          "webhook-id": id,
          "webhook-timestamp": String(at),
          "webhook-signature": `v1,AAAA ${signature}`,
        },
      };
    },
    accepts: (secret, { body, headers }) => takes(() => new Webhook(secret).verify(body, headers)),
    name: "webhook",
    shown: {},
    isTimed: true,
    signature: "webhook-signature",
  },
  Svix: {
    webhook: { scheme: "standard", secret: WHSEC },
    send(id, at) {
      const body = JSON.stringify({ type: "invoice.paid", data: { id, title: TITLE } });
      const signature = svix.sign(id, new Date(at * 1000), body);
      return { body, headers: { "svix-id": id, "svix-timestamp": String(at), "svix-signature": signature } };
    },
    accepts: (secret, { body, headers }) => takes(() => new SvixWebhook(secret).verify(body, headers)),
    name: "webhook",
    shown: {},
    isTimed: true,
    signature: "svix-signature",
  },
  Stripe: {
    webhook: { scheme: "stripe", secret: STRIPE_SECRET },
    async send(id, timestamp) {
      const event = { id, object: "event", type: "payment_intent.succeeded", description: TITLE };
      const payload = JSON.stringify(event, null, 2);
      const signature = await Stripe.webhooks.generateTestHeaderStringAsync({
        payload,
        secret: STRIPE_SECRET,
        timestamp,
      });
      return { body: payload, headers: { "stripe-signature": signature } };
    },
    accepts: (secret, { body, headers }) =>
      takes(() => Stripe.webhooks.constructEvent(body, headers["stripe-signature"] ?? "", secret)),
    name: "payment_intent.succeeded",
    shown: {},
    isTimed: true,
    signature: "stripe-signature",
  },
  GitHub: {
    webhook: { scheme: "github", secret: GITHUB_SECRET },
    async send(id) {
      const body = JSON.stringify({ action: "opened", issue: { number: 7, title: TITLE } });
      return {
        body,
        headers: {
          "x-github-event": "issues",
          "x-github-delivery": id,
          "x-hub-signature-256": await signAsGitHub(GITHUB_SECRET, body),
        },
      };
    },
    accepts(secret, { body, headers }) {
      const { "x-hub-signature-256": signature = "" } = headers;
      return signature !== "" && verifyAsGitHub(secret, body, signature);
    },
    name: "issues",
    shown: { "x-github-event": "issues" },
    isTimed: false,
    signature: "x-hub-signature-256",
  },
  Slack: {
    webhook: { scheme: "slack", secret: SLACK_SECRET },
    send(id, at) {
      const event = { type: "message", text: TITLE };
      const body = JSON.stringify({ type: "event_callback", event_id: id, event });
      // Slack's library cannot sign; that it accepts this signature shows that it is correct.
      const signature = createHmac("sha256", SLACK_SECRET).update(`v0:${at}:${body}`).digest("hex");
      return {
        body,
        headers: { "x-slack-request-timestamp": String(at), "x-slack-signature": `v0=${signature}` },
      };
    },
    accepts: (signingSecret, { body, headers }) =>
      isValidSlackRequest({
        signingSecret,
        body,
        headers: {
          "x-slack-signature": headers["x-slack-signature"] ?? "",
          "x-slack-request-timestamp": Number(headers["x-slack-request-timestamp"]),
        },
      }),
    name: "message",
    shown: {},
    isTimed: true,
    signature: "x-slack-signature",
  },
  Shopify: shopifyVendor("x-shopify-"),
  "Shopify's Events": shopifyVendor("shopify-"),
};

/** Shopify's webhooks and its Events, which differ in the prefix of their headers. */
function shopifyVendor(prefix: string): Vendor {
  const topic = "orders/create";
  return {
    webhook: { scheme: "shopify", secret: SHOPIFY_SECRET },
    async send(id) {
      const body = JSON.stringify({ id: "820982911946154508", note: TITLE });
      return {
        body,
        headers: {
          [`${prefix}hmac-sha256`]: await createSHA256HMAC(SHOPIFY_SECRET, body, HashFormat.Base64),
          [`${prefix}topic`]: topic,
          [`${prefix}webhook-id`]: id,
          [`${prefix}shop-domain`]: "shop.myshopify.com",
          [`${prefix}api-version`]: "2026-07",
        },
      };
    },
    async accepts(apiSecretKey, { body, headers }) {
      const { webhooks } = shopifyApi({
        apiKey: "key",
        apiSecretKey,
        apiVersion: ApiVersion.Unstable,
        hostName: "platform.test",
        isEmbeddedApp: false,
        logger: { level: LogSeverity.Error },
      });
      const rawRequest = new Request("https://platform.test/in", { method: "POST", headers });
      return (await webhooks.validate({ rawBody: body, rawRequest })).valid;
    },
    name: topic,
    shown: { [`${prefix}topic`]: topic },
    isTimed: false,
    signature: `${prefix}hmac-sha256`,
  };
}
