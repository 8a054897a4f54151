import { z } from "zod";
import { instant } from "#server/operation/fields.ts";
import { DatabaseFunction, EMPTY_STRUCTURE, Table, View } from "./structure-schema.ts";

const MB = 1_048_576;

/** The limits of an account's database; published in `/pricing`. */
export const DATABASE_LIMITS = {
  maximumBytes: 1024 * MB,
  connections: 5,
  maximumRows: 10_000,
  maximumAnswerBytes: 64 * MB,
  maximumActionAnswerBytes: 4 * MB,
  maximumResultBytes: 256 * MB,
  maximumTimeoutMs: 60_000,
} as const;

/** The maximum size of a backend's temporary files, if the cluster's operator has set no `temp_file_limit`. */
export const TEMPORARY_BYTES = 1024 * MB;

export const DatabaseLimits = z
  .object({
    maximumBytes: z
      .int()
      .describe(
        "The maximum size of the database in bytes. A transaction that exceeds it is rolled back: at its end, or while it writes, since the size is checked four times a second.",
      ),
    connections: z
      .int()
      .describe("How many statements run at the same time; further ones wait up to 5 s, then get 429."),
    maximumRows: z.int().describe("The maximum number of rows in one response."),
    maximumAnswerBytes: z.int().describe("The maximum size of one response to a query in bytes."),
    maximumActionAnswerBytes: z
      .int()
      .describe(
        "The maximum size of the rows that a call's actions return, in bytes: they are stored for its repeats.",
      ),
    maximumResultBytes: z.int().describe("The maximum size of a result over all its pages, in bytes."),
    maximumTimeoutMs: z.int().describe("The maximum run time of a statement, in milliseconds."),
  })
  .meta({
    id: "DatabaseLimits",
    description: "The limits of the database.",
    examples: [{ ...DATABASE_LIMITS }],
  });

/** The public form of the account's database. */
export const Database = z
  .object({
    status: z
      .enum(["absent", "provisioning", "ready", "deprovisioning"])
      .describe("`absent` before it is provisioned, and after it was deprovisioned."),
    sizeBytes: z.int().describe("The size on disk, in bytes."),
    limits: DatabaseLimits,
    tables: z.array(Table).describe("Its tables, by name."),
    views: z.array(View).describe("Its views, by name."),
    functions: z.array(DatabaseFunction).describe("Its functions, by name and arguments."),
    complete: z
      .boolean()
      .describe(
        "False if there is more than one answer can hold: `tables`, `views` or `functions` then lack the last ones.",
      ),
    createdAt: instant.nullable().describe("When it was provisioned; null while it is absent."),
  })
  .meta({
    id: "Database",
    description: "The account's own PostgreSQL database.",
    examples: [
      {
        status: "ready",
        sizeBytes: 7_888_896,
        limits: { ...DATABASE_LIMITS },
        ...EMPTY_STRUCTURE,
        createdAt: "2027-01-31T12:00:00.000Z",
      },
    ],
  });

const statement = z.string().min(1).max(1_000_000);
const timeoutMs = z
  .int()
  .min(1)
  .max(DATABASE_LIMITS.maximumTimeoutMs)
  .default(15_000)
  .describe("The time limit for all statements of the call together, 1 to 60000 ms.");
const params = z
  .array(z.unknown())
  .max(65_000)
  .default([])
  .describe("The values of `$1`, `$2`, …, in the same form as values in result rows.");

/** Body of `databases.query`. */
export const Query = z.object({
  sql: statement.describe("One read-only statement, with `$1`, `$2`, … for its parameters."),
  params,
  maxRows: z
    .int()
    .min(1)
    .max(DATABASE_LIMITS.maximumRows)
    .default(1000)
    .describe("The maximum number of rows in the response, 1 to 10000; read the rest by `cursor`."),
  timeoutMs,
  cursor: z
    .string()
    .max(500)
    .optional()
    .describe("`nextCursor` of the previous page, sent with the same `sql`, `params` and `rowMode`."),
  rowMode: z
    .enum(["array", "object"])
    .default("array")
    .describe("Rows as arrays in column order, or as objects by column name."),
});

export const Column = z
  .object({
    name: z.string().describe("The column's name."),
    type: z.string().describe("Its type, by its name in `pg_type`."),
  })
  .meta({
    id: "ResultColumn",
    description: "A column of a result.",
    examples: [{ name: "id", type: "int8" }],
  });

export const Row = z
  .union([z.array(z.unknown()), z.record(z.string(), z.unknown())])
  .meta({ examples: [["1042", "12.50"]] });

const name = z
  .string()
  .min(1)
  .max(63)
  .describe("A name in its exact case, without quotes and without `public.`.");
/** A type's name in `pg_type`, with modifiers; `_int4` and `int4[]` are the same. */
const typeName = z
  .string()
  .max(100)
  .regex(
    /^[A-Za-z_][A-Za-z0-9_]*(\(\d{1,5}(, ?-?\d{1,5})?\))?(\[\])?$/,
    "Send the name of a type, such as text, int8, numeric(12,2) or text[].",
  );
const values = z.record(z.string().min(1).max(63), z.unknown());
const filled = values.refine((fields) => Object.keys(fields).length > 0, "Send at least one column.");
/** The most columns that a table of PostgreSQL has. */
const MAX_COLUMNS = 1600;
const rows = z
  .array(values)
  .min(1, "Send at least one row.")
  .max(10_000)
  .refine(
    fitTable,
    `Has more than ${MAX_COLUMNS} different columns, the most of one table. Send only the table's.`,
  );

/** True if one table can have all of the rows' columns. */
function fitTable(list: readonly Record<string, unknown>[]): boolean {
  const names = new Set<string>();
  for (const row of list) {
    for (const column of Object.keys(row)) names.add(column);
    if (names.size > MAX_COLUMNS) return false;
  }
  return true;
}

const where = filled.describe(
  "Column → value; selects the rows that have all these values. `null` matches NULL.",
);

const expectedRows = z
  .int()
  .min(0)
  .optional()
  .describe(
    "The number of rows that the action has to change or return. If it is another, for instance because somebody changed a row meanwhile, all actions are rolled back: 409 `state_conflict`.",
  );

const NewColumn = z.strictObject({
  name,
  type: typeName.describe("The column's type, by its name in `pg_type`."),
  nullable: z.boolean().default(true).describe("True if the column accepts NULL."),
  default: z
    .union([z.string().min(1).max(1000), z.number(), z.boolean()])
    .optional()
    .describe("The default value: an SQL expression such as `now()`, a number or a boolean."),
});

/** A change within one call of `databases.actions`. */
export const Action = z
  .discriminatedUnion("type", [
    z.strictObject({
      type: z.literal("sql").describe("Runs a statement."),
      sql: statement.describe("One statement, with `$1`, `$2`, … for its parameters."),
      params,
      expectedRows,
    }),
    z.strictObject({
      type: z.literal("table.create").describe("Creates a table."),
      table: name,
      columns: z.array(NewColumn).min(1).max(MAX_COLUMNS).describe("Its columns, in order."),
      primaryKey: z.array(name).min(1).max(32).optional().describe("The columns of its primary key."),
    }),
    z.strictObject({ type: z.literal("table.drop").describe("Drops a table."), table: name }),
    z.strictObject({
      type: z.literal("rows.insert").describe("Inserts rows."),
      table: name,
      rows: rows.describe("The rows, column → value; an omitted column gets its default."),
    }),
    z.strictObject({
      type: z.literal("rows.upsert").describe("Inserts rows, or updates existing ones."),
      table: name,
      rows: rows.describe("The rows, column → value."),
      conflictColumns: z
        .array(name)
        .min(1)
        .max(32)
        .describe("The columns of a unique key by which existing rows are found."),
    }),
    z.strictObject({
      type: z.literal("rows.update").describe("Changes rows."),
      table: name,
      set: filled.describe("Column → new value."),
      where,
      expectedRows,
    }),
    z.strictObject({
      type: z.literal("rows.delete").describe("Deletes rows."),
      table: name,
      where,
      expectedRows,
    }),
  ])
  .meta({
    id: "DatabaseAction",
    description: "A change of the account's database.",
    examples: [{ type: "rows.insert", table: "orders", rows: [{ id: 1, total: "12.50" }] }],
  });

export type Action = z.output<typeof Action>;

/** Body of `databases.actions`. */
export const Actions = z.object({
  actions: z.array(Action).min(1).max(1000).describe("The changes, in order: all of them, or none."),
  dryRun: z
    .boolean()
    .default(false)
    .describe("True to roll all changes back at the end, and only report them."),
  timeoutMs,
});

export const ActionResult = z
  .object({
    type: z.string().describe("The action's type."),
    rowCount: z
      .int()
      .nullable()
      .describe("The number of changed or returned rows; null for an action that is not about rows."),
    command: z
      .string()
      .optional()
      .describe("PostgreSQL's command tag of a `sql` action, e.g. `DELETE` or `CREATE TABLE`."),
    columns: z.array(Column).optional().describe("The columns of the returned rows."),
    rows: z.array(z.array(z.unknown())).optional().describe("The returned rows, in column order."),
  })
  .meta({
    id: "DatabaseActionResult",
    description: "The result of an action.",
    examples: [{ type: "rows.insert", rowCount: 1 }],
  });

export type ActionResult = z.output<typeof ActionResult>;
