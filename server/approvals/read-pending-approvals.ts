import { and, count, max } from "drizzle-orm";
import { z } from "zod";
import { approvals } from "#db/schema/approvals.ts";
import { instant } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { visible } from "#server/operation/tenancy.ts";
import { hasStatus } from "./rows.ts";

export const readPendingApprovals = operation({
  id: "approvals.pending.read",
  method: "GET",
  path: "/approvals/pending",
  summary: "Read how many approvals are pending",
  description: "For the console's navigation.",
  scope: "approvals:read",
  surfaces: ["console"],
  output: z.object({
    pending: z.int().describe("How many approvals wait for a decision."),
    newestAt: instant.nullable().describe("When the newest of them was requested; null if none waits."),
  }),

  async handler({ caller, db }) {
    const [row] = await db
      .select({ pending: count(), newestAt: max(approvals.createdAt) })
      .from(approvals)
      .where(and(visible(approvals, caller), hasStatus("pending")));
    return { pending: row?.pending ?? 0, newestAt: row?.newestAt?.toISOString() ?? null };
  },
});
