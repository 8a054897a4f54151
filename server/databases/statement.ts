import type postgres from "postgres";
import { ApiError, invalid } from "#server/operation/errors.ts";
import type { TenantSession } from "#server/providers/tenants/sessions.ts";
import { DATABASE_LIMITS } from "./schema.ts";
import { firstWord, kindFault } from "./statement-kind.ts";
import { decodeValue, encodeValue, type PgType } from "./values.ts";

/** A row as PostgreSQL writes it: each cell its own text, null for NULL. */
export type Cells = (string | null)[];

/** A column of a result. */
export interface ResultColumn {
  name: string;
  type: PgType;
}

/** A statement that PostgreSQL has understood and that has not run yet. */
export interface Statement {
  columns: ResultColumn[];
  /** Runs it, and answers its rows as they are asked for. */
  rows(): AsyncGenerator<Cells>;
  /** Runs one that answers no rows; how many it has changed, null where that means nothing. */
  run(): Promise<number | null>;
}

const BATCH = 500;

// Their command tags have no count, without which the driver's cursor takes a result for empty.
const UNCOUNTED = new Set(["explain", "show", "call"]);

/**
 * Has PostgreSQL read one statement, and encodes its parameters by the types that it gives them. `path` is where the
 * statement stands in the body; its parameters stand beside it.
 */
export async function prepareStatement(
  { sql }: TenantSession,
  text: string,
  params: readonly unknown[],
  path: string,
): Promise<Statement> {
  const fault = kindFault(text);
  if (fault) throw invalid(path, fault);
  const described = await sql.unsafe(text).describe();
  const columns = described.columns ?? [];
  const types = await readTypes(sql, [...described.types, ...columns.map(({ type }) => type)]);
  const beside = path.replace(/\w+$/, "params");
  if (params.length !== described.types.length) {
    const text = `The statement takes ${described.types.length} parameters; ${params.length} were sent.`;
    throw invalid(beside, text);
  }
  const encoded = described.types.map((oid, place) =>
    encode(typeIn(types, oid), params[place], `${beside}.${place}`),
  );
  const query = () => sql.unsafe(text, encoded as never[], { simple: false } as never).values();
  return {
    columns: columns.map(({ name, type }) => ({ name, type: typeIn(types, type) })),
    async *rows() {
      if (UNCOUNTED.has(firstWord(text))) return yield* (await query()) as unknown as Cells[];
      for await (const batch of query().cursor(BATCH)) yield* batch as unknown as Cells[];
    },
    async run() {
      const { count, command } = (await query()) as unknown as postgres.RowList<never[]>;
      return /^(INSERT|UPDATE|DELETE|MERGE|SELECT)$/.test(command) ? count : null;
    },
  };
}

function encode(type: PgType, value: unknown, path: string): string | null {
  try {
    return encodeValue(type, value);
  } catch (cause) {
    if (cause instanceof TypeError) throw invalid(path, cause.message);
    throw cause;
  }
}

function typeIn(types: ReadonlyMap<number, PgType>, oid: number): PgType {
  return types.get(oid) ?? { oid, name: "unknown", element: null, delimiter: "," };
}

interface TypeRow {
  oid: string;
  name: string;
  base: string;
  element: string;
  elementName: string | null;
  delimiter: string | null;
}

/** What the database's catalogue says of these types; a domain counts as what it is made of. */
async function readTypes(sql: postgres.Sql, oids: number[]): Promise<Map<number, PgType>> {
  const wanted = [...new Set(oids)];
  if (wanted.length === 0) return new Map();
  const rows = await sql.unsafe<TypeRow[]>(
    `select t.oid::text, t.typname as name, case when t.typtype = 'd' then t.typbasetype else t.oid end::text as base,
      case when b.typcategory = 'A' then b.typelem else 0 end::text as element, e.typname as "elementName", e.typdelim as delimiter
    from pg_catalog.pg_type t
    join pg_catalog.pg_type b on b.oid = case when t.typtype = 'd' then t.typbasetype else t.oid end
    left join pg_catalog.pg_type e on e.oid = b.typelem
    where t.oid in (${wanted.join(", ")})`,
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

/** The row as the wire shows it, in column order. */
export function toWireRow(columns: readonly ResultColumn[], row: Cells): unknown[] {
  return row.map((text, place) =>
    text === null ? null : decodeValue((columns[place] as ResultColumn).type, text),
  );
}

/** What a row takes in an answer, roughly: its text, quotes and commas. */
export function sizeOfRow(row: Cells): number {
  return row.reduce((size, text) => size + (text === null ? 5 : Buffer.byteLength(text) + 3), 2);
}

/** Told of a row that no answer can hold. */
export function rowTooLarge(bytes: number): ApiError {
  return new ApiError(
    "query_limit_exceeded",
    `One row has ${bytes} bytes; an answer has at most ${DATABASE_LIMITS.maximumAnswerBytes}. Select less of it.`,
  );
}
