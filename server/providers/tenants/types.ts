import type postgres from "postgres";

/** A PostgreSQL type, as far as the text of its values depends on it. */
export interface PgType {
  /** The base type, for a domain. */
  oid: number;
  /** `pg_type.typname`. */
  name: string;
  /** The type of an array's elements; null for others. */
  element: PgType | null;
  /** The delimiter of an array's elements: a comma, except for `box`. */
  delimiter: string;
}

/** Oids below this one are the cluster's own types, the same in each of its databases. */
export const FIRST_TENANT_OID = 16_384;

interface Row {
  oid: string;
  name: string;
  base: string;
  element: string;
  elementName: string | null;
  delimiter: string | null;
}

/**
 * Reads the types that a condition on `t.oid` selects, by oid. Only types that `array_in` reads count as arrays:
 * `int2vector` and `oidvector` are arrays in the catalogue, with another text.
 */
export async function readTypes(sql: postgres.Sql, condition: string): Promise<Map<number, PgType>> {
  const rows = await sql.unsafe<Row[]>(
    `select t.oid::text, t.typname as name, case when t.typtype = 'd' then t.typbasetype else t.oid end::text as base,
      case when b.typinput::oid = 'pg_catalog.array_in'::regproc::oid then b.typelem else 0 end::text as element,
      e.typname as "elementName", e.typdelim as delimiter
    from pg_catalog.pg_type t
    join pg_catalog.pg_type b on b.oid = case when t.typtype = 'd' then t.typbasetype else t.oid end
    left join pg_catalog.pg_type e on e.oid = b.typelem
    where ${condition}`,
  );
  return new Map(
    rows.map(({ oid, name, base, element, elementName, delimiter }) => [
      Number(oid),
      {
        oid: Number(base),
        name,
        delimiter: delimiter ?? ",",
        element:
          element === "0"
            ? null
            : { oid: Number(element), name: elementName ?? "", element: null, delimiter: "," },
      },
    ]),
  );
}
