import type postgres from "postgres";

/** Returns a value as a parameter of type JSON. The driver's type refuses interfaces: they have no index signature. */
export const json = (sql: postgres.Sql, value: unknown) => sql.json(value as never);
