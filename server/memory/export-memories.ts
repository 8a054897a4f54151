import { z } from "zod";
import { priceOf } from "#server/services/prices.ts";
import { capability } from "#server/services/service.ts";

export const exportMemories = capability({
  id: "export",
  title: "Export memories",
  description: "Writes every memory of the account, project and end user into one artifact. Runs only.",
  input: z.strictObject({}),
  output: z.object({}),
  modes: ["run"],
  readOnly: true,
  destructive: false,
  requiresApproval: false,
  price: priceOf("managed-memory", "export"),
});
