import { createHash } from "node:crypto";
import { z } from "zod";
import type { Db } from "#db/client.ts";
import { canonicalJson } from "#server/base/canonical-json.ts";
import { operation } from "#server/operation/operation.ts";
import { SerializedResult } from "#server/operation/serialized-result.ts";
import type { Tenant } from "#server/providers/tenants/cluster.ts";
import type { TenantSession } from "#server/providers/tenants/sessions.ts";
import { faultsAt, inTenant, readyDatabase } from "./queries.ts";
import { readResult } from "./read-result.ts";
import { type Execution, type PageBounds, readSpool } from "./result-spool.ts";
import { Column, DATABASE_LIMITS, Query, Row } from "./schema.ts";
import { type Batches, guess, Misguessed, prepareStatement, refuseKind } from "./statement.ts";
import { listWriter, objectWriter } from "./values.ts";
import { writeRows, writeWhole } from "./write-rows.ts";

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
  writtenNumbers: ["params"],
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
    "quota_exceeded",
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
    const execution = { accountId: caller.accountId, fingerprint: () => fingerprintOf(body) };
    const maxBytes = request.sendsParts ? DATABASE_LIMITS.maximumAnswerBytes : PARSED_BYTES;
    const page =
      body.cursor === undefined
        ? await run(db, tenant, execution, { ...body, maxBytes }, request.signal)
        : await readSpool(db, execution, body.cursor, { maxRows: body.maxRows, maxBytes });
    const { columns, rowCount, nextCursor } = page;
    const write = body.rowMode === "object" ? objectWriter(columns) : listWriter(columns);
    const rows = writeRows(page, write, caller.accountId);
    return new SerializedResult("rows", request.sendsParts ? rows : await writeWhole(rows), {
      columns: columns.map(({ name, type }) => ({ name, type: type.name })),
      rowCount,
      truncated: nextCursor !== null,
      nextCursor,
      durationMs: Math.round(performance.now() - started),
    });
  },
});

type Body = z.output<typeof Query>;

/** The bytes of a page that its transport parses as a whole, which takes the time of everybody's calls. */
const PARSED_BYTES = 4 * 1_048_576;

function fingerprintOf({ sql, params, rowMode }: Body): Uint8Array {
  return createHash("sha256").update(canonicalJson({ sql, params, rowMode })).digest();
}

/** Executes the query: returns its first page and stores the rest. */
async function run(
  db: Db,
  tenant: Tenant,
  execution: Execution,
  body: Body & PageBounds,
  signal: AbortSignal,
) {
  refuseKind(body.sql, "body.sql");
  const options = { readOnly: true, timeoutMs: body.timeoutMs, signal };
  const attempt = (open: (session: TenantSession) => Promise<Batches>) =>
    inTenant(tenant, options, (session) =>
      faultsAt("body.sql", async () => readResult(db, session, execution, body, await open(session))),
    );
  try {
    // Sent together with the transaction's begin.
    return await attempt(async (session) => guess(session, body.sql, body.params));
  } catch (reason) {
    if (!(reason instanceof Misguessed)) throw reason;
    return attempt(async (session) =>
      (await prepareStatement(session, body.sql, body.params, "body.sql")).batches(),
    );
  }
}
