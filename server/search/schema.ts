import { z } from "zod";

/** What a search finds. */
export const FOUND_KINDS = [
  "project",
  "apiKey",
  "wallet",
  "run",
  "workflow",
  "connection",
  "file",
  "webhook",
  "approval",
  "member",
  "artifact",
  "service",
  "capability",
  "transaction",
  "signature",
  "order",
  "swap",
  "transfer",
  "delivery",
  "auditEvent",
  "request",
] as const;

export const Found = z
  .object({
    kind: z.enum(FOUND_KINDS).describe("What it is."),
    id: z.string().describe("Its id."),
    label: z.string().describe("Its name, label or summary; its id where it has none."),
    detail: z.string().nullable().describe("What sets it apart from others of the same name."),
    parentId: z.string().nullable().describe("What it belongs to, where it is reached through that."),
  })
  .meta({ id: "Found", description: "Something of the account that a search has found." });

export type Found = z.output<typeof Found>;
