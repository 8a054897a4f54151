import { createHash } from "node:crypto";
import { z } from "zod";
import type { Db } from "#db/client.ts";
import { canonicalJson } from "#server/base/canonical-json.ts";
import { defined } from "#server/base/defined.ts";
import { ApiError } from "#server/operation/errors.ts";
import { parseExactly } from "#server/operation/exact-numbers.ts";
import { isConnectionLost } from "#server/operation/faults.ts";
import { isDeeper, JSON_LIMITS } from "#server/operation/json-text.ts";
import { type Commit, operation } from "#server/operation/operation.ts";
import { callerUuid } from "#server/operation/recorder.ts";
import type { Tenant } from "#server/providers/tenants/cluster.ts";
import type { TenantSession } from "#server/providers/tenants/sessions.ts";
import { statementsOf } from "./action-sql.ts";
import {
  forgetCommit,
  forgetUncommitted,
  pinTransaction,
  recordCommit,
  settleCommit,
  type TenantCall,
  wasCommitted,
} from "./commits.ts";
import { faultsAt, inTenant, readyDatabase } from "./queries.ts";
import { inSlice } from "./result-turns.ts";
import { type Action, ActionResult, Actions, DATABASE_LIMITS } from "./schema.ts";
import { prepareStatement, sizeOfRow } from "./statement.ts";
import { listWriter } from "./values.ts";

export const applyActions = operation({
  id: "databases.actions",
  method: "POST",
  path: "/databases/actions",
  summary: "Change the account's database",
  description:
    "Applies a list of actions in one transaction: all of them or none, and exactly once under retries with the same Idempotency-Key. With `dryRun` they are undone at the end.",
  scope: "databases:write",
  service: "managed-database",
  idempotent: true,
  external: true,
  destructive: true,
  body: Actions,
  writtenNumbers: ["params", "rows", "set", "where"],
  output: z.object({
    results: z.array(ActionResult).describe("Each action's result, in order."),
    dryRun: z.boolean().describe("Whether everything was undone."),
  }),
  errors: [
    "project_not_allowed",
    "state_conflict",
    "query_limit_exceeded",
    "service_rate_limited",
    "service_unavailable",
    "service_timeout",
  ],
  examples: {
    body: {
      actions: [
        {
          type: "table.create",
          table: "orders",
          columns: [
            { name: "id", type: "int8", nullable: false },
            { name: "total", type: "numeric(12,2)", nullable: false },
          ],
          primaryKey: ["id"],
        },
        { type: "rows.insert", table: "orders", rows: [{ id: "1042", total: "12.50" }] },
      ],
    },
    output: {
      results: [
        { type: "table.create", rowCount: null },
        { type: "rows.insert", rowCount: 1 },
      ],
      dryRun: false,
    },
  },

  async handler({ body, caller, db, request, commit }) {
    const tenant = await readyDatabase(db, caller);
    const options = { readOnly: false, timeoutMs: body.timeoutMs, signal: request.signal };
    if (body.dryRun) {
      const results = await inTenant(tenant, options, (session) => applyAll(session, body.actions));
      return commit(async () => ({ results, dryRun: true }));
    }
    const call: TenantCall = {
      accountId: caller.accountId,
      callerId: defined(callerUuid(caller)),
      key: defined(request.idempotencyKey),
      fingerprint: createHash("sha256").update(canonicalJson(body)).digest(),
    };
    const results =
      ((await settleCommit(db, call, tenant)) as ActionResult[] | null) ??
      (await inTenant(
        tenant,
        options,
        (session) => applyAll(session, body.actions),
        (session, answer) =>
          faultsAt("body.actions", () => commitOnce({ db, commit, call, tenant }, session, answer)),
      ));
    return commit(async (tx) => {
      await forgetCommit(tx, call);
      return { results, dryRun: false };
    });
  },
});

async function applyAll(session: TenantSession, actions: readonly Action[]): Promise<ActionResult[]> {
  const results: ActionResult[] = [];
  const room = { bytes: DATABASE_LIMITS.maximumActionAnswerBytes };
  for (const [place, action] of actions.entries()) {
    const path = action.type === "sql" ? `body.actions.${place}.sql` : `body.actions.${place}`;
    const result = await faultsAt(path, () => apply(session, action, path, room));
    refuseUnexpected(action, result, place);
    results.push(result);
  }
  // Runs deferred constraints now, while their faults can still be reported and nothing is final.
  await faultsAt("body.actions", () => session.sql.unsafe("set constraints all immediate"));
  return results;
}

/** Refuses an action that changes or returns another number of rows than the caller expects. */
function refuseUnexpected(action: Action, { rowCount }: ActionResult, place: number): void {
  const expected = "expectedRows" in action ? action.expectedRows : undefined;
  if (expected === undefined || rowCount === expected) return;
  const path = `body.actions.${place}.expectedRows`;
  const message = `The action changes or returns ${rowCount ?? "no number of"} rows, not ${expected}. Read the rows again, and send an action that fits them.`;
  throw new ApiError("state_conflict", `${path}: ${message}`, { issues: [{ path, message }] });
}

async function apply(
  session: TenantSession,
  action: Action,
  path: string,
  room: { bytes: number },
): Promise<ActionResult> {
  let rowCount: number | null = null;
  let command = "";
  for (const { sql, params } of statementsOf(action)) {
    const statement = await prepareStatement(session, sql, params, path);
    if (statement.columns.length > 0) {
      const written: string[] = [];
      const write = listWriter(statement.columns);
      for await (const batch of statement.batches((outcome) => {
        command = outcome.command;
      }))
        for (const cells of batch) {
          room.bytes -= sizeOfRow(cells);
          if (room.bytes < 0) {
            const text = `The actions answer more than ${DATABASE_LIMITS.maximumActionAnswerBytes} bytes of rows. Return fewer.`;
            throw new ApiError("query_limit_exceeded", text);
          }
          const row = write(cells);
          // A row is itself a list.
          if (isDeeper(row, JSON_LIMITS.maximumDepth + 1)) {
            const text = `The actions answer JSON of more than ${JSON_LIMITS.maximumDepth} levels. Return it as text.`;
            throw new ApiError("query_limit_exceeded", text);
          }
          written.push(row);
        }
      const rows = inSlice(() => parseExactly(`[${written.join(",")}]`)) as unknown[][];
      const columns = statement.columns.map(({ name, type }) => ({ name, type: type.name }));
      return { type: action.type, rowCount: rows.length, ...tagOf(action, command), columns, rows };
    }
    const { count, command: tag } = await statement.run();
    command = tag;
    if (count !== null) rowCount = (rowCount ?? 0) + count;
  }
  return { type: action.type, rowCount, ...tagOf(action, command) };
}

/** Only statements that the caller wrote are named; those of other actions they do not know. */
const tagOf = ({ type }: Action, command: string) => (type === "sql" && command ? { command } : {});

/** Commits the tenant's transaction in such a way that after a crash at any point its outcome can be determined. */
async function commitOnce(
  {
    db,
    commit,
    call,
    tenant,
  }: { db: Db; commit: Pick<Commit<unknown>, "before">; call: TenantCall; tenant: Tenant },
  { sql }: TenantSession,
  answer: ActionResult[],
): Promise<void> {
  // The tenant may have turned synchronous commits off, but the platform promises that its commits survive a crash.
  await sql.unsafe("set local synchronous_commit = on");
  const [row] = await sql.unsafe<{ id: string }[]>("select pg_catalog.pg_current_xact_id()::text as id");
  const transactionId = defined(row?.id);
  await pinTransaction(tenant);
  await commit.before((tx) => recordCommit(tx, call, tenant, transactionId, answer));
  try {
    await sql.unsafe("commit");
  } catch (reason) {
    if (isConnectionLost(reason) && (await wasCommitted(tenant, transactionId))) return;
    await forgetUncommitted(db, call, transactionId);
    throw reason;
  }
}
