import { z } from "zod";
import { messageOf } from "#server/base/thrown.ts";
import { schemaFault } from "./json-schema.ts";
import { ownServices } from "./own-services.ts";

const MODES = ["invoke", "run"] as const;
/** Limited by the claim of a call's idempotency key, which lasts a minute. */
const MAX_TIMEOUT_MS = 50_000;

const text = z.string().trim().min(1);
const jsonSchema = z.record(z.string(), z.unknown()).superRefine((schema, context) => {
  const fault = schemaFault(schema);
  if (fault) context.addIssue({ code: "custom", message: `It is no JSON Schema (2020-12): ${fault}.` });
});

const Price = z
  .strictObject({
    unit: text.max(50),
    credits: z.int().min(0).max(1_000_000_000),
    maximum: z.int().min(0).max(1_000_000_000),
  })
  .refine(({ credits, maximum }) => credits <= maximum, "`credits` is more than `maximum`.")
  .refine(
    ({ unit, credits, maximum }) => unit !== "call" || credits === maximum,
    "`call` is an exact charge: `credits` and `maximum` must be equal.",
  );

const ServiceOperation = z.strictObject({
  id: z.string().regex(/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,99}$/, "Send letters, digits, `.`, `_` and `-`."),
  title: text.max(200),
  description: text.max(2000),
  path: z.string().regex(/^\/[^\s?#]*$/, "It must begin with / and have neither query nor fragment."),
  modes: z.array(z.enum(MODES)).min(1),
  readOnly: z.boolean(),
  destructive: z.boolean(),
  requiresApproval: z.boolean(),
  price: Price,
  inputSchema: jsonSchema,
  outputSchema: jsonSchema,
});

const OperatorService = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{1,62}$/, "Send 2 to 63 lower-case letters, digits and hyphens.")
    .refine(
      (id) => !ownServices.some((service) => service.id === id),
      "The platform's own service has this id.",
    ),
  name: text.max(200),
  description: text.max(2000),
  baseUrl: z.url({ protocol: /^https?$/ }).refine((value) => {
    const { username, password, search, hash } = new URL(value);
    return username === "" && password === "" && search === "" && hash === "";
  }, "Leave out user, query and fragment."),
  signingSecret: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]+={0,2}$/, "It must be whsec_ and base64.")
    .refine((secret) => {
      const { length } = Buffer.from(secret.slice(6), "base64");
      return length >= 24 && length <= 64;
    }, "It must hold 24 to 64 random bytes, as `openssl rand -base64 32` makes."),
  timeoutMs: z.int().min(100).max(MAX_TIMEOUT_MS),
  operations: z.array(ServiceOperation).min(1).refine(distinct, "Two operations have the same id."),
});

/** The services that an operator adds to the platform: the file at `SERVICES_FILE`. */
const Manifest = z.strictObject({
  services: z.array(OperatorService).refine(distinct, "Two services have the same id."),
});

export type OperatorService = z.output<typeof OperatorService>;
export type ServiceOperation = z.output<typeof ServiceOperation>;

function distinct(entries: { id: string }[]): boolean {
  return new Set(entries.map(({ id }) => id)).size === entries.length;
}

/** Reads a manifest; returns its services or all of its faults. */
export function readManifest(file: string): { services: OperatorService[] } | { faults: string[] } {
  let value: unknown;
  try {
    value = JSON.parse(file);
  } catch (error) {
    return { faults: [`It is no JSON: ${messageOf(error)}.`] };
  }
  const read = Manifest.safeParse(value);
  if (read.success) return read.data;
  return {
    faults: read.error.issues.map(({ path, message }) => `${path.join(".") || "The file"}: ${message}`),
  };
}
