import { and, desc, eq } from "drizzle-orm";
import { z } from "zod";
import { endUsers } from "#db/schema/accounts.ts";
import { auditEvents } from "#db/schema/audit.ts";
import { notFound } from "#server/operation/errors.ts";
import { instant } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { visible } from "#server/operation/tenancy.ts";
import { knownEndUsers, toEndUser } from "./queries.ts";
import { EndUser, EndUserParams } from "./schema.ts";

export const readEndUser = operation({
  id: "endUsers.read",
  method: "GET",
  path: "/end-users/{endUserId}",
  surfaces: ["console"],
  summary: "Read an end user",
  description: "With the time of the newest call for them.",
  scope: "projects:read",
  params: EndUserParams,
  output: z.object({
    endUser: EndUser,
    lastSeenAt: instant
      .nullable()
      .describe("The time of the newest call for them; null if there is none whose event is not archived."),
  }),
  errors: ["not_found"],

  async handler({ params: { endUserId }, caller, db }) {
    const [row] = await db
      .select()
      .from(endUsers)
      .where(and(knownEndUsers(caller), eq(endUsers.id, endUserId)));
    if (!row) throw notFound("end user", endUserId);
    const [last] = await db
      .select({ at: auditEvents.at })
      .from(auditEvents)
      .where(and(visible(auditEvents, caller), eq(auditEvents.endUserId, endUserId)))
      .orderBy(desc(auditEvents.id))
      .limit(1);
    return { endUser: toEndUser(row), lastSeenAt: last?.at.toISOString() ?? null };
  },
});
