import { desc, sql } from "drizzle-orm";
import { z } from "zod";
import { runs } from "#db/schema/runs.ts";
import { workflowVersions } from "#db/schema/workflows.ts";
import { notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { versionsOf } from "../queries.ts";
import { findWorkflow, toStoredWorkflows, versionColumns } from "./rows.ts";
import { StoredWorkflow, WorkflowParams } from "./schema.ts";

/** Runs are counted up to here. */
const MOST_RUNS = 1000;

const runsOf = (condition: ReturnType<typeof sql>) => sql<number>`(
  select count(*)::int from (
    select from ${runs} r where r.account_id = ${workflowVersions.accountId}
      and r.workflow_id = ${workflowVersions.workflowId} and r.workflow_version = ${workflowVersions.version} ${condition}
    limit ${MOST_RUNS}) counted)`;

export const readWorkflow = operation({
  id: "workflows.read",
  method: "GET",
  path: "/workflows/{workflowId}",
  surfaces: ["console"],
  summary: "Read a stored workflow",
  description: "With its versions, the newest first, and how many runs each has had.",
  scope: "runs:read",
  service: "managed-workflows",
  params: WorkflowParams,
  output: z.object({
    workflow: StoredWorkflow.describe("Its newest version."),
    versions: z
      .array(
        StoredWorkflow.extend({
          runs: z.int().describe(`How many runs were of it, counted up to ${MOST_RUNS}.`),
          liveRuns: z.int().describe(`How many of those have not ended, counted up to ${MOST_RUNS}.`),
        }),
      )
      .describe("The versions that are kept."),
  }),
  errors: ["not_found"],

  async handler({ params, caller, db }) {
    const workflow = await findWorkflow(db, caller, params.workflowId);
    const found = await db
      .select({
        version: versionColumns,
        runs: runsOf(sql``),
        liveRuns: runsOf(sql`and r.finished_at is null`),
      })
      .from(workflowVersions)
      .where(versionsOf(workflow))
      .orderBy(desc(workflowVersions.version));
    const stored = await toStoredWorkflows(
      db,
      found.map(({ version }) => ({ workflow, version })),
    );
    const versions = stored.map((version, nth) => ({
      ...version,
      runs: found[nth]?.runs ?? 0,
      liveRuns: found[nth]?.liveRuns ?? 0,
    }));
    const [newest] = stored;
    if (!newest) throw notFound("workflow", params.workflowId);
    return { workflow: newest, versions };
  },
});
