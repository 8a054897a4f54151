import { and, or, type SQL } from "drizzle-orm";

// At least one condition is defined; Drizzle's own functions return undefined only for none.
type Conditions = [SQL, ...(SQL | undefined)[]] | [...(SQL | undefined)[], SQL];

/** `and` of conditions, at least one of which is defined. */
export function allOf(...conditions: Conditions): SQL {
  return and(...conditions) as SQL;
}

/** `or` of conditions, at least one of which is defined. */
export function anyOf(...conditions: Conditions): SQL {
  return or(...conditions) as SQL;
}
