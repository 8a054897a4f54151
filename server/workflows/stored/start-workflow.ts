import { and, eq } from "drizzle-orm";
import { workflows } from "#db/schema/workflows.ts";
import { defined } from "#server/base/defined.ts";
import { invalidRequest } from "#server/operation/input.ts";
import { type Assignment, spaceOf } from "#server/operation/tenancy.ts";
import { platform } from "#server/platform.ts";
import { priceOf } from "#server/services/prices.ts";
import { capability } from "#server/services/service.ts";
import { awaitsPlatform } from "../awaited.ts";
import { compareSteps } from "../compare-steps.ts";
import { executeWorkflow } from "../execute-workflow.ts";
import { faultsBySchema } from "../judge-schema.ts";
import { archived, definitionOf, findVersion, noSuchWorkflow } from "../queries.ts";
import { runWorkflow } from "../run-workflow.ts";
import { withOccasion } from "../with-occasion.ts";
import { StartWorkflow } from "./schema.ts";

export const startWorkflow = capability({
  id: "start",
  title: "Start a stored workflow",
  description:
    "Runs a stored workflow durably, as `execute` does one that is sent along: the version is chosen when the run is made and stands in its `workflow`. An input that the version's `inputSchema` refuses is refused before any run exists. A key that may call `start` alone runs nothing but what is stored.",
  input: StartWorkflow,
  output: executeWorkflow.output,
  modes: ["run"],
  readOnly: false,
  destructive: true,
  requiresApproval: false,
  price: priceOf("managed-workflows", "start"),

  triggered: withOccasion,

  async keepsEvents(_, accountId, pinned) {
    const { steps } = await definitionOf(platform().database.db, accountId, defined(pinned));
    return awaitsPlatform(steps);
  },

  nameOf: ({ name }) => name,

  async pin({ name, version, input }, assignment, where) {
    const { db } = platform().database;
    if (assignment === null) throw noSuchWorkflow(name);
    const { accountId } = assignment;
    const found = await findVersion(db, ownedBy(assignment), { name, version });
    if (found.workflow.archivedAt) throw archived(name);
    const { inputSchema } = found.version;
    const issues =
      inputSchema === null ? [] : await faultsBySchema(accountId, JSON.parse(inputSchema), input);
    if (issues.length > 0)
      throw invalidRequest(
        issues.map(({ path, message }) => ({
          path: path === "" ? `${where}.input` : `${where}.input.${path}`,
          message,
        })),
      );
    return { id: found.workflow.id, name, version: found.version.version };
  },

  async compareVersions(accountId, before, now, fromStep) {
    const { db } = platform().database;
    const was = await definitionOf(db, accountId, before);
    return compareSteps(was, await definitionOf(db, accountId, now), fromStep);
  },

  async run(run) {
    const pinned = defined(run.workflow);
    const workflow = await definitionOf(platform().database.db, run.caller.accountId, pinned);
    return runWorkflow({ ...run, input: { workflow, input: run.input.input } });
  },
});

const ownedBy = (assignment: Assignment) =>
  defined(and(eq(workflows.accountId, assignment.accountId), eq(workflows.space, spaceOf(assignment))));
