import { z } from "zod";
import { ConditionOperator, valueFault } from "#server/operation/conditions.ts";

/** The form of a delivery's body. */
export const PayloadKind = z.enum(["full", "thin"]).meta({ id: "WebhookPayload" });

const MAX_CONDITIONS = 20;
const MAX_VALUES = 20;
const MAX_BYTES = 8 * 1024;

const text = z.string().max(200, "At most 200 characters.");
const single = [text, z.number(), z.boolean(), z.null()] as const;

const Condition = z
  .strictObject({
    path: z
      .string()
      .max(200, "At most 200 characters.")
      .regex(/^[^.]+(\.[^.]+){0,9}$/, "Name a field of the event's body, like data.run.status.")
      .meta({ description: "A field of the event's body.", examples: ["data.run.status"] }),
    op: ConditionOperator.describe(
      "The comparison. A missing field fulfils no condition; `exists` with `true` requires a field that is present and not null, with `false` the opposite.",
    ),
    value: z
      .union([...single, z.array(z.union(single)).max(MAX_VALUES).meta({ minItems: 1 })], {
        error: "Send a text, a number, true, false or null; with in, a list of these.",
      })
      .optional()
      .meta({
        description:
          'The value it is compared with. Numbers and decimals in texts are compared by their value, exactly: 12.5 equals "12.50".',
        examples: ["failed"],
      }),
  })
  .superRefine((condition, { addIssue }) => {
    const message = valueFault(condition, "platform");
    if (message) addIssue({ code: "custom", path: ["value"], message });
  })
  .meta({
    id: "WebhookCondition",
    description: "A condition on an event's body.",
  });
export type Condition = z.output<typeof Condition>;

export const Filter = z
  .array(Condition)
  .max(MAX_CONDITIONS, "At most 20 conditions.")
  .refine(
    (conditions) => new TextEncoder().encode(JSON.stringify(conditions)).length <= MAX_BYTES,
    "All conditions together have at most 8 KB.",
  )
  .meta({ examples: [[{ path: "data.run.status", op: "in", value: ["failed", "expired"] }]] });

export const MAX_HEADERS = 20;
const tooMany = `At most ${MAX_HEADERS} headers.`;
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const VALUE = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;
/** Headers that control the request itself, that the platform sets, or that proxies trust. */
const RESERVED =
  /^(host|connection|content-.*|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*|cookie|date|via|forwarded|x-forwarded-.*|x-real-ip|user-agent|accept-encoding|traceparent|tracestate|webhook-.*|x-service-.*)$/;

const value = z.string().max(4096, "At most 4,096 characters.");
const examples = [{ authorization: "Bearer 5f2c…" }];

/** Headers as they are sent when a webhook is created. */
export const Headers = z
  .record(z.string(), value)
  .superRefine(refuseUnfit)
  .refine((headers) => Object.keys(headers).length <= MAX_HEADERS, tooMany)
  .meta({ examples });

/** Headers of a change: null removes one. */
export const HeaderChanges = z
  .record(z.string(), value.nullable())
  .superRefine(refuseUnfit)
  .meta({ examples });

/** Adds an error for each header that can't be sent. */
function refuseUnfit(headers: Record<string, string | null>, context: z.RefinementCtx): void {
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    const message = seen.has(name.toLowerCase())
      ? `${name} is there twice: names are the same in any case.`
      : headerFault(name, value);
    seen.add(name.toLowerCase());
    if (message) context.addIssue({ code: "custom", path: [name], message });
  }
}

function headerFault(name: string, value: string | null): string | null {
  if (!NAME.test(name)) return "No header has such a name. Use letters, digits and hyphens.";
  if (RESERVED.test(name.toLowerCase()))
    return `${name} steers the request itself or is the platform's own. Send another header's name.`;
  if (value !== null && !VALUE.test(value))
    return "A header can't carry it: send printable ASCII, without spaces at its ends.";
  return null;
}
