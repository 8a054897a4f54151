import { eq, isNotNull, type SQL } from "drizzle-orm";
import type { z } from "zod";
import { allOf } from "#db/conditions.ts";
import { endUsers } from "#db/schema/accounts.ts";
import type { Caller } from "#server/operation/caller.ts";
import type { EndUser } from "./schema.ts";

/** Matches the end users that the caller may see. One whose external id was erased is no longer known to anybody. */
export function knownEndUsers({ accountId, endUser }: Caller): SQL {
  return allOf(
    eq(endUsers.accountId, accountId),
    isNotNull(endUsers.externalId),
    endUser ? eq(endUsers.externalId, endUser.externalId) : undefined,
  );
}

type Row = Pick<typeof endUsers.$inferSelect, "id" | "externalId" | "createdAt">;

/** The wire's form of a row. */
export const toEndUser = ({ id, externalId, createdAt }: Row): z.input<typeof EndUser> => ({
  id,
  externalId: externalId ?? "",
  createdAt: createdAt.toISOString(),
});
