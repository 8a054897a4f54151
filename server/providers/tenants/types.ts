import type postgres from "postgres";

/** A type of PostgreSQL's, as far as its values' text depends on it. */
export interface PgType {
  /** Of a domain, the type that it is made of. */
  oid: number;
  /** `pg_type.typname`. */
  name: string;
  /** The type of an array's elements; null for others. */
  element: PgType | null;
  /** What stands between an array's elements: a comma but for `box`. */
  delimiter: string;
}

/** A cluster's own types, the same in each of its databases, come before this one. */
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
 * What the catalogue says of the types that a condition on `t.oid` names, by oid. An array is what `array_in` reads:
 * `int2vector` and `oidvector` count as arrays in the catalogue and have another text.
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
