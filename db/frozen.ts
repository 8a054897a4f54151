import { type AnyColumn, type SQL, sql } from "drizzle-orm";

/** The SQLSTATE with which the trigger `refuse_frozen` refuses a write. */
export const FROZEN_STATE = "MS002";

/** The condition that a row's account is not frozen: workers begin nothing for those that are. */
export function notFrozen(accountId: AnyColumn | SQL): SQL {
  return sql`${accountId} <> all((select frozen_ids())::uuid[])`;
}

/** The condition that a row's account may be written to: work that was running when it was frozen still ends. */
export function notFenced(accountId: AnyColumn | SQL): SQL {
  return sql`${accountId} <> all((select fenced_ids())::uuid[])`;
}
