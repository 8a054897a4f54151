import { z } from "zod";
import { instant } from "#server/operation/fields.ts";

/** The limits of inbound webhooks. */
export const INBOUND_LIMITS = {
  /** The body of a delivery: 1 MB. */
  maximumBytes: 1_048_576,
  /** The deliveries of a trigger per minute, by default and at most. */
  requestsPerMinute: 600,
  maximumRequestsPerMinute: 6000,
  /** How long the previous address can be used after a rotation: seven days. */
  maximumOverlapSeconds: 604_800,
} as const;

const SCHEMES = ["standard", "stripe", "github", "slack", "shopify", "hmac_sha256", "none"] as const;
export type SchemeName = (typeof SCHEMES)[number];

/** The header of the signature of `hmac_sha256`, if none is named. */
export const SIGNATURE_HEADER = "x-signature";

const scheme = z
  .enum(SCHEMES)
  .describe(
    "How the provider signs: by Standard Webhooks (`standard`, as Svix, Clerk, Resend and this platform do), as Stripe, GitHub, Slack or Shopify do, with the hex or base64 of an HMAC-SHA256 of the body in a header (`hmac_sha256`), or not at all (`none`): then the address is the only secret.",
  );
const headerName = z
  .string()
  .max(100, "At most 100 characters.")
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/, "Send a header's name: letters, digits, - and _.")
  .describe(`The header that has the signature of \`hmac_sha256\`, \`${SIGNATURE_HEADER}\` by default.`);
const requestsPerMinute = z
  .int()
  .min(1)
  .max(INBOUND_LIMITS.maximumRequestsPerMinute)
  .describe("The maximum number of deliveries per minute; further ones get 429.");

/** The key of a Standard Webhooks secret: base64, after `whsec_` where that is sent. */
export const STANDARD_SECRET =
  /^(?:whsec_)?((?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;

/** An inbound webhook in requests. */
export const SentWebhook = z
  .strictObject({
    scheme,
    secret: z
      .string()
      .min(8, "8 to 500 characters.")
      .max(500, "8 to 500 characters.")
      .optional()
      .describe(
        "The provider's signing secret, as the provider shows it; stored encrypted and never returned. If it is left out when a trigger is put again with the same scheme, the trigger keeps its secret.",
      ),
    headerName: headerName.optional(),
    requestsPerMinute: requestsPerMinute
      .default(INBOUND_LIMITS.requestsPerMinute)
      .describe(`${requestsPerMinute.description} By default ${INBOUND_LIMITS.requestsPerMinute}.`),
  })
  .superRefine(({ scheme, secret, headerName }, { addIssue }) => {
    const fault = (path: string, message: string) => addIssue({ code: "custom", path: [path], message });
    if (scheme === "none" && secret !== undefined)
      fault("secret", "The scheme none has no secret. Leave it out.");
    if (scheme === "standard" && secret !== undefined && !STANDARD_SECRET.test(secret))
      fault("secret", "Not a secret of Standard Webhooks: base64, with or without whsec_ before it.");
    if (scheme !== "hmac_sha256" && headerName !== undefined)
      fault("headerName", "Only hmac_sha256 leaves the header open. Leave it out.");
  })
  .describe(
    "Starts a run at each delivery that the provider has signed in this way. The response has the trigger's own `address` for deliveries.",
  );
export type SentWebhook = z.output<typeof SentWebhook>;

/** An inbound webhook in responses. */
export const InboundWebhook = z
  .object({
    scheme,
    headerName: headerName.nullable(),
    requestsPerMinute,
    address: z
      .string()
      .nullable()
      .meta({
        description:
          "The address for deliveries by POST. Everybody who knows it may deliver, so it is null for callers who lack `runs:write` or may not change the trigger, in events and in runs.",
        examples: ["https://api.example.com/in/q5mP0r0vJm9yWlBf0v1cTz8s3l4kXgYd2uNnE7hRaQo"],
      }),
    previousAddressUntil: instant
      .nullable()
      .describe(
        "The time until which the address before the last rotation accepts deliveries; null if there is none.",
      ),
    secretFingerprint: z
      .string()
      .nullable()
      .meta({
        description: "A fingerprint that is equal for equal secrets of the account; it does not reveal them.",
        examples: ["5f2a9c01d4e7b863"],
      }),
    rejectedDeliveries: z
      .int()
      .describe("The number of deliveries refused with 401, because of their signature or its time."),
  })
  .meta({
    id: "InboundWebhook",
    description: "The address for a provider's deliveries, and their signature.",
  });
