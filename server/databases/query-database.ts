import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { z } from "zod";
import type { Db } from "#db/client.ts";
import { ApiError, invalid } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import type { Tenant } from "#server/providers/tenants/sessions.ts";
import { faultsAt, inTenant, readyDatabase } from "./queries.ts";
import { type Execution, readSpool, spoolRest } from "./result-spool.ts";
import { Column, DATABASE_LIMITS, Query, Row } from "./schema.ts";
import {
  type Cells,
  prepareStatement,
  type ResultColumn,
  rowTooLarge,
  sizeOfRow,
  toWireRow,
} from "./statement.ts";

export const queryDatabase = operation({
  id: "databases.query",
  method: "POST",
  path: "/databases/query",
  summary: "Query the account's database",
  description:
    "Runs one statement that only reads. Where rows remain, the whole result of that execution is kept for 15 minutes and `nextCursor` reads on in it.",
  scope: "databases:read",
  service: "managed-database",
  body: Query,
  output: z.object({
    columns: z.array(Column).describe("The columns, in order."),
    rows: z.array(Row).describe("The rows of this page."),
    rowCount: z.int().describe("How many rows this page has."),
    truncated: z.boolean().describe("Whether rows remain; then `nextCursor` is set."),
    nextCursor: z.string().nullable().describe("Reads the next rows of the same execution; null at the end."),
    durationMs: z.int().describe("How long the database took."),
  }),
  errors: [
    "project_not_allowed",
    "state_conflict",
    "cursor_expired",
    "query_limit_exceeded",
    "service_rate_limited",
    "service_unavailable",
  ],
  examples: {
    body: {
      sql: "select table_name, table_type from information_schema.tables where table_schema = $1",
      params: ["public"],
      maxRows: 100,
    },
    output: {
      columns: [
        { name: "table_name", type: "name" },
        { name: "table_type", type: "varchar" },
      ],
      rows: [["orders", "BASE TABLE"]],
      rowCount: 1,
      truncated: false,
      nextCursor: null,
      durationMs: 2,
    },
  },

  async handler({ body, caller, db, request }) {
    const started = performance.now();
    const tenant = await readyDatabase(db, caller);
    const execution = { accountId: caller.accountId, fingerprint: fingerprintOf(body) };
    const { columns, rows, nextCursor } =
      body.cursor === undefined
        ? await run(db as Db, tenant, execution, body, request.signal)
        : await readSpool(db as Db, execution, body.cursor, body.maxRows);
    const wire = rows.map((cells) => toWireRow(columns, cells));
    return {
      columns: columns.map(({ name, type }) => ({ name, type: type.name })),
      rows: body.rowMode === "object" ? wire.map((row) => objectOf(columns, row)) : wire,
      rowCount: rows.length,
      truncated: nextCursor !== null,
      nextCursor,
      durationMs: Math.round(performance.now() - started),
    };
  },
});

type Body = z.output<typeof Query>;

function fingerprintOf({ sql, params, rowMode }: Body): Uint8Array {
  return createHash("sha256")
    .update(canonicalize({ sql, params, rowMode }) as string)
    .digest();
}

/** Executes the query: answers its first page, and keeps what remains. */
function run(db: Db, tenant: Tenant, execution: Execution, body: Body, signal: AbortSignal) {
  return inTenant(tenant, { readOnly: true, timeoutMs: body.timeoutMs, signal }, (session) =>
    faultsAt("body.sql", async () => {
      const statement = await prepareStatement(session, body.sql, body.params, "body.sql");
      const { columns } = statement;
      if (body.rowMode === "object") refuseDuplicates(columns);
      const all = bounded(statement.rows());
      const { rows, over } = await readPage(all, body.maxRows);
      const nextCursor = over && (await spoolRest(db, execution, columns, following(over, all)));
      return { columns, rows, nextCursor };
    }),
  );
}

/** The rows of a page, and the first that has no room in it. */
async function readPage(
  all: AsyncGenerator<Cells>,
  maxRows: number,
): Promise<{ rows: Cells[]; over: Cells | null }> {
  const rows: Cells[] = [];
  let bytes = 0;
  for (let next = await all.next(); !next.done; next = await all.next()) {
    bytes += sizeOfRow(next.value);
    if (rows.length === maxRows || bytes > DATABASE_LIMITS.maximumAnswerBytes)
      return { rows, over: next.value };
    rows.push(next.value);
  }
  return { rows, over: null };
}

async function* following(first: Cells, rest: AsyncGenerator<Cells>): AsyncGenerator<Cells> {
  yield first;
  yield* rest;
}

/** Refuses a row that no answer holds, and a result that is too large to be kept. */
async function* bounded(rows: AsyncGenerator<Cells>): AsyncGenerator<Cells> {
  let total = 0;
  for await (const cells of rows) {
    const bytes = sizeOfRow(cells);
    total += bytes;
    if (bytes > DATABASE_LIMITS.maximumAnswerBytes) throw rowTooLarge(bytes);
    if (total > DATABASE_LIMITS.maximumResultBytes) {
      const text = `The result has more than ${DATABASE_LIMITS.maximumResultBytes} bytes. Select less, or export the database.`;
      throw new ApiError("query_limit_exceeded", text);
    }
    yield cells;
  }
}

function refuseDuplicates(columns: readonly ResultColumn[]): void {
  const names = columns.map(({ name }) => name);
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice !== undefined)
    throw invalid(
      "body.rowMode",
      `Two columns are called ${twice}; an object has room for one. Name them apart.`,
    );
}

function objectOf(columns: readonly ResultColumn[], row: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(columns.map(({ name }, place) => [name, row[place]]));
}
