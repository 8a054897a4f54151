import { and, or, type SQL } from "drizzle-orm";

// One condition is certain: only of none do drizzle's own make undefined.
type Conditions = [SQL, ...(SQL | undefined)[]] | [...(SQL | undefined)[], SQL];

/** `and` of conditions of which at least one is there. */
export function allOf(...conditions: Conditions): SQL {
  return and(...conditions) as SQL;
}

/** `or` of conditions of which at least one is there. */
export function anyOf(...conditions: Conditions): SQL {
  return or(...conditions) as SQL;
}
