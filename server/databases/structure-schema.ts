import { z } from "zod";

const TableColumn = z
  .object({
    name: z.string().describe("The column's name."),
    type: z.string().describe("Its type with its modifiers, e.g. `numeric(12,2)`."),
    nullable: z.boolean().describe("True if the column accepts NULL."),
    default: z.string().nullable().describe("The SQL expression of its default; null without one."),
  })
  .meta({
    id: "DatabaseColumn",
    description: "A column of a table.",
    examples: [{ name: "total", type: "numeric(12,2)", nullable: false, default: "0" }],
  });

const TableIndex = z
  .object({
    name: z.string().describe("The index's name."),
    columns: z.array(z.string()).describe("The indexed columns or expressions, in order."),
    unique: z.boolean().describe("True if the index is unique."),
    definition: z.string().describe("The SQL statement that creates the index."),
  })
  .meta({
    id: "DatabaseIndex",
    description: "An index of a table.",
    examples: [
      {
        name: "orders_pkey",
        columns: ["id"],
        unique: true,
        definition: "CREATE UNIQUE INDEX orders_pkey ON public.orders USING btree (id)",
      },
    ],
  });

const ForeignKey = z
  .object({
    name: z.string().describe("The constraint's name."),
    columns: z.array(z.string()).describe("The columns that refer to a row, in order."),
    table: z.string().describe("The table of that row."),
    referencedColumns: z.array(z.string()).describe("The columns that they equal there, in the same order."),
  })
  .meta({
    id: "DatabaseForeignKey",
    description: "A foreign key of a table.",
    examples: [
      {
        name: "orders_customer_id_fkey",
        columns: ["customer_id"],
        table: "customers",
        referencedColumns: ["id"],
      },
    ],
  });

export const Table = z
  .object({
    name: z.string().describe("The table's name, without `public.`."),
    columns: z.array(TableColumn).describe("Its columns, in order."),
    primaryKey: z.array(z.string()).describe("The columns of its primary key; empty without one."),
    foreignKeys: z.array(ForeignKey).describe("Its foreign keys, by name."),
    indexes: z.array(TableIndex).describe("The table's indexes, including the primary key's."),
    rowEstimate: z.int().describe("PostgreSQL's estimate of the number of rows."),
    sizeBytes: z.int().describe("The size on disk with its indexes, in bytes."),
  })
  .meta({
    id: "DatabaseTable",
    description: "A table of the account's database.",
    examples: [
      {
        name: "orders",
        columns: [{ name: "id", type: "int8", nullable: false, default: null }],
        primaryKey: ["id"],
        foreignKeys: [],
        indexes: [],
        rowEstimate: 1200,
        sizeBytes: 131_072,
      },
    ],
  });

export const View = z
  .object({
    name: z.string().describe("The view's name, without `public.`."),
    materialized: z.boolean().describe("True if its rows are stored until it is refreshed."),
    columns: z.array(TableColumn).describe("Its columns, in order."),
    rowEstimate: z
      .int()
      .nullable()
      .describe("PostgreSQL's estimate of the number of stored rows; null if the view stores none."),
    sizeBytes: z.int().describe("The size on disk with its indexes, in bytes; 0 if the view stores no rows."),
  })
  .meta({
    id: "DatabaseView",
    description: "A view of the account's database.",
    examples: [
      {
        name: "open_orders",
        materialized: false,
        columns: [{ name: "id", type: "int8", nullable: true, default: null }],
        rowEstimate: null,
        sizeBytes: 0,
      },
    ],
  });

export const DatabaseFunction = z
  .object({
    name: z.string().describe("The function's name, without `public.`."),
    kind: z.enum(["function", "procedure", "aggregate", "window"]).describe("Its kind."),
    arguments: z.string().describe("Its arguments with their names, types and defaults, as SQL writes them."),
    returns: z.string().nullable().describe("The type of its result; null for a procedure."),
    language: z.string().describe("The language that it is written in."),
  })
  .meta({
    id: "DatabaseFunction",
    description: "A function of the account's database.",
    examples: [
      {
        name: "order_total",
        kind: "function",
        arguments: "order_id bigint",
        returns: "numeric",
        language: "sql",
      },
    ],
  });

/** The structure of a database that holds nothing. */
export const EMPTY_STRUCTURE: {
  tables: z.input<typeof Table>[];
  views: z.input<typeof View>[];
  functions: z.input<typeof DatabaseFunction>[];
  complete: boolean;
} = { tables: [], views: [], functions: [], complete: true };
