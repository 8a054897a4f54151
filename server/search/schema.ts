import { z } from "zod";

/** The kinds of resources that a search finds. */
export const FOUND_KINDS = [
  "project",
  "apiKey",
  "wallet",
  "contact",
  "run",
  "workflow",
  "trigger",
  "connection",
  "file",
  "webhook",
  "approval",
  "member",
  "artifact",
  "memory",
  "endUser",
  "app",
  "invitation",
  "service",
  "capability",
  "transaction",
  "signature",
  "order",
  "swap",
  "transfer",
  "delivery",
  "sentEvent",
  "event",
  "receipt",
  "auditEvent",
  "request",
] as const;

export const Found = z
  .object({
    kind: z.enum(FOUND_KINDS).describe("The kind of the resource."),
    id: z.string().describe("The resource's id."),
    label: z.string().describe("The resource's name, label or summary, or else its id."),
    detail: z.string().nullable().describe("A detail that distinguishes resources with the same name."),
    parentId: z
      .string()
      .nullable()
      .describe("The id of the parent whose page shows the resource; null if it has its own page."),
  })
  .meta({ id: "Found", description: "A resource of the account that a search has found." });

export type Found = z.output<typeof Found>;
