import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { webhookEvents, webhooks } from "#db/schema/webhooks.ts";
import { uuidOf } from "#server/base/ids.ts";
import { notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { platform } from "#server/platform.ts";
import { manageable } from "./queries.ts";
import { CheckSignature, SignatureCheck, WebhookParams } from "./schema.ts";
import { openSecret, type SigningKey, signedHeaders, signingKey } from "./secrets.ts";
import { thinBody } from "./thin-body.ts";

// The tolerance of the Standard Webhooks libraries.
const TOLERANCE_SECONDS = 300;
const SHOWN = 24;

export const checkSignature = operation({
  id: "webhooks.signature.check",
  method: "POST",
  path: "/webhooks/{webhookId}/check-signature",
  summary: "Check a delivery's signature",
  description:
    "Checks the signature of a delivery as it arrived and, if it is invalid, says why: an old timestamp, another secret, or an altered body. Nothing of the request is stored.",
  scope: "webhooks:read",
  surfaces: ["console"],
  params: WebhookParams,
  body: CheckSignature,
  output: z.object({
    valid: z.boolean().describe("True if an endpoint should accept the delivery."),
    checks: z.array(SignatureCheck).describe("The checks that could be made, in order."),
  }),
  errors: ["not_found"],
  examples: { body: { headers: "X-Service-Signature: t=1769868309,v1=5f2c", body: "{}" } },

  async handler({ params, body, caller, db, request }) {
    const [webhook] = await db
      .select({
        accountId: webhooks.accountId,
        id: webhooks.id,
        payload: webhooks.payload,
        secret: webhooks.secret,
        previous: sql<Uint8Array | null>`case when ${webhooks.previousSecretExpiresAt} > now()
          then ${webhooks.previousSecret} end`,
      })
      .from(webhooks)
      .where(and(manageable(db, caller), eq(webhooks.id, params.webhookId)));
    if (!webhook) throw notFound("webhook", params.webhookId);
    const sent = readHeaders(body.headers);
    if (!sent)
      return {
        valid: false,
        checks: [
          checked(
            "headers",
            false,
            "Neither X-Service-Signature with t= and v1= nor webhook-id, webhook-timestamp and webhook-signature are among the headers. Paste all of them, one per line.",
          ),
        ],
      };
    // A forged delivery may contain any text here.
    const known = uuidOf("webhookEvent", sent.eventId) !== null;
    const [event] = known
      ? await db
          .select({ payload: webhookEvents.payload })
          .from(webhookEvents)
          .where(and(eq(webhookEvents.accountId, webhook.accountId), eq(webhookEvents.id, sent.eventId)))
      : [];
    const own = [webhook.secret, webhook.previous].flatMap((sealed) =>
      sealed ? signingKey(openSecret(platform().settings.sealingKeys, webhook, sealed)) : [],
    );
    const checks = [
      checked("headers", true, "They carry a signature."),
      checkTime(sent, request.at),
      checkBody(body.body, event && sentBody(event.payload, webhook.payload, body.body)),
      checkKey(sent, body.body, own),
    ];
    return { valid: checks.every(({ passed }) => passed !== false), checks };
  },
});

interface SentHeaders {
  eventId: string;
  seconds: number;
  /** `v1=…` in hex and `v1,…` in base64. */
  signatures: string[];
}

const checked = (
  check: SignatureCheck["check"],
  passed: boolean | null,
  message: string,
): SignatureCheck => ({
  check,
  passed,
  message,
});

/** Returns the parts of a delivery's headers that its signature covers; null without a signature. */
function readHeaders(text: string): SentHeaders | null {
  const headers = new Map(
    text.split(/\r?\n/).map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const [time, ...hex] = (headers.get("x-service-signature") ?? "").split(",");
  const eventId = headers.get("webhook-id") ?? "";
  const base64 = eventId ? (headers.get("webhook-signature") ?? "").split(" ") : [];
  const signatures = [...hex, ...base64].filter((one) => /^v1[=,]./.test(one));
  const seconds = Number(time?.startsWith("t=") ? time.slice(2) : headers.get("webhook-timestamp"));
  return signatures.length > 0 && Number.isSafeInteger(seconds) ? { eventId, seconds, signatures } : null;
}

function checkTime({ seconds }: SentHeaders, now: Date): SignatureCheck {
  const age = Math.floor(now.getTime() / 1000) - seconds;
  if (Math.abs(age) <= TOLERANCE_SECONDS)
    return checked("timestamp", true, `It was signed ${Math.abs(age)} s ago. Up to 5 minutes are accepted.`);
  const distance = inWords(Math.abs(age));
  return checked(
    "timestamp",
    false,
    age > 0
      ? `It was signed ${distance} ago; endpoints refuse deliveries older than 5 minutes, or anybody could send them again. Replay the delivery.`
      : `It was signed ${distance} ahead of the platform's clock. The platform never sends such deliveries.`,
  );
}

function inWords(seconds: number): string {
  const [size, unit] =
    seconds < 7_200 ? [60, "minutes"] : seconds < 172_800 ? [3_600, "hours"] : [86_400, "days"];
  return `${Math.round(seconds / size)} ${unit}`;
}

/** Returns the event's body as sent: in the form that arrived, else in the form the webhook is set to. */
function sentBody(payload: string, kind: "full" | "thin", arrived: string): string {
  const thin = thinBody(payload);
  if (arrived === payload || arrived === thin) return arrived;
  return kind === "thin" ? thin : payload;
}

function checkBody(body: string, payload: string | undefined): SignatureCheck {
  if (payload === undefined)
    return checked("body", null, "The platform keeps no event with this webhook-id to compare it with.");
  if (body === payload) return checked("body", true, "It equals the sent body, byte for byte.");
  const at = [...payload].findIndex((_, index) => payload[index] !== body[index]);
  const from = at < 0 ? payload.length : at;
  const part = (text: string) => JSON.stringify(text.slice(from, from + SHOWN));
  return checked(
    "body",
    false,
    `From character ${from + 1} on it is ${part(body)}, where ${part(payload)} was sent. Check the bytes as they arrive, before anything parses them.`,
  );
}

function checkKey(sent: SentHeaders, body: string, own: SigningKey[]): SignatureCheck {
  return signs(own, sent, body)
    ? checked("signature", true, "It was made with a secret of this webhook.")
    : checked(
        "signature",
        false,
        "No secret of this webhook makes it: it is another webhook's or an older secret's, or the body or the timestamp was altered.",
      );
}

function signs(keys: SigningKey[], { eventId, seconds, signatures }: SentHeaders, payload: string): boolean {
  const made = signedHeaders({ eventId, event: "", payload }, keys, new Date(seconds * 1000));
  const all = [
    ...(made["x-service-signature"] ?? "").split(","),
    ...(made["webhook-signature"] ?? "").split(" "),
  ];
  return signatures.some((one) => all.includes(one));
}
