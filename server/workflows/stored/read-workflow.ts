import { desc, sql } from "drizzle-orm";
import { z } from "zod";
import { workflowVersions } from "#db/schema/workflows.ts";
import { toUuid } from "#server/base/ids.ts";
import { notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { versionsOf, type WorkflowRow } from "../queries.ts";
import { findWorkflow, toStoredWorkflows, versionColumns } from "./rows.ts";
import { StoredWorkflow, WorkflowParams } from "./schema.ts";

/** The maximum to which runs are counted. */
const MAX_RUNS = 1000;

/** Returns a column with the number of runs of a workflow's version. */
const runsOf = ({ accountId, id }: WorkflowRow, live: boolean) => sql<number>`(
  select count(*)::int from (
    select from runs r
    where r.account_id = ${toUuid("account", accountId)} and r.workflow_id = ${toUuid("workflow", id)}
      and r.workflow_version = workflow_versions.version ${live ? sql`and r.finished_at is null` : sql``}
    limit ${MAX_RUNS}) counted)`;

export const readWorkflow = operation({
  id: "workflows.read",
  method: "GET",
  path: "/workflows/{workflowId}",
  surfaces: ["console"],
  summary: "Read a stored workflow",
  description:
    "Returns a stored workflow with its versions, the newest first, and how many runs each has had.",
  scope: "runs:read",
  service: "managed-workflows",
  params: WorkflowParams,
  output: z.object({
    workflow: StoredWorkflow.describe("Its newest version."),
    versions: z
      .array(
        StoredWorkflow.extend({
          runs: z.int().describe(`How many runs were of it, counted up to ${MAX_RUNS}.`),
          liveRuns: z.int().describe(`How many of those have not ended, counted up to ${MAX_RUNS}.`),
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
        runs: runsOf(workflow, false),
        liveRuns: runsOf(workflow, true),
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
