import { z } from "zod";
import { exampleId, instant, keepsDirection, turnsDirection, typeId } from "#server/operation/fields.ts";
import { Workflow } from "../schema.ts";
import { workflowName, workflowVersion } from "../single-steps.ts";
import { WORKFLOW_STATUSES } from "./statuses.ts";

const jsonSchema = z
  .record(z.string(), z.unknown())
  .meta({ description: "A JSON Schema (2020-12) that the input of a start must fulfil." });

export const StoredWorkflow = z
  .object({
    id: typeId("workflow"),
    name: workflowName,
    version: z.int().describe("The version's number, from 1."),
    digest: z.string().meta({
      description: "The SHA-256 of the RFC 8785 form of `{ workflow, inputSchema, description }`, in hex.",
      examples: ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
    }),
    description: z.string().nullable().describe("A description of this version or of its changes."),
    status: z
      .enum(WORKFLOW_STATUSES)
      .describe("The status. An archived workflow can be neither started nor put."),
    archivedAt: instant.nullable().describe("The time when it was archived."),
    projectId: typeId("project").nullable().describe("The project of the workflow."),
    endUser: z.string().nullable().describe("The end user of the workflow."),
    createdAt: instant.describe("The time when this version was put."),
    createdBy: z
      .object({
        type: z.enum(["key", "member", "system"]).describe("The kind of author: a key or a person."),
        id: z.string().nullable().describe("The id of the key or member."),
        label: z.string().describe("The key's label or the person's name at that time."),
      })
      .describe("The author of this version."),
  })
  .meta({
    id: "StoredWorkflow",
    description: "A version of a workflow that is stored under a name.",
    examples: [
      {
        id: exampleId("workflow"),
        name: "restock",
        version: 3,
        digest: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        description: "Asks before it orders.",
        status: "active",
        archivedAt: null,
        projectId: null,
        endUser: null,
        createdAt: "2027-01-31T12:00:00.000Z",
        createdBy: { type: "key", id: exampleId("apiKey"), label: "Backend" },
      },
    ],
  });

export type StoredWorkflow = z.output<typeof StoredWorkflow>;

export const ListedWorkflow = StoredWorkflow.extend({
  firstPutAt: instant.describe("The time when its first version was put."),
}).meta({ id: "ListedWorkflow", description: "The newest version of a stored workflow in a list." });

export type ListedWorkflow = z.output<typeof ListedWorkflow>;

export const WorkflowContent = z
  .object({
    workflow: StoredWorkflow,
    definition: Workflow.describe("The workflow as it was put."),
    inputSchema: jsonSchema.nullable(),
  })
  .describe("A version with its content.");

export const PutWorkflow = z.strictObject({
  name: workflowName,
  workflow: Workflow,
  inputSchema: jsonSchema.optional(),
  description: z
    .string()
    .max(2000, "At most 2000 characters.")
    .refine(keepsDirection, turnsDirection)
    .optional()
    .describe("A description of this version or of its changes."),
  ifVersion: z
    .int()
    .min(0)
    .optional()
    .describe(
      "The number of the newest version, without which nothing is stored; 0 if there must be no workflow of this name.",
    ),
});

export type PutWorkflow = z.output<typeof PutWorkflow>;

export const WorkflowReference = z.strictObject({ name: workflowName });

export const GetWorkflow = z.strictObject({
  name: workflowName,
  version: workflowVersion.optional().describe("The version; by default the newest."),
});

export const WorkflowParams = z.object({ workflowId: typeId("workflow") });

export const ListWorkflows = z.strictObject({
  name: workflowName
    .optional()
    .describe("The name of a workflow whose stored versions to list, newest first."),
  status: z.enum(WORKFLOW_STATUSES).optional().describe("Only workflows with this status."),
  limit: z.int().min(1).max(100).default(25).describe("The maximum number of items, 1 to 100."),
  cursor: z.string().max(500).optional().describe("The `nextCursor` of the previous page."),
});

export const StartWorkflow = z.strictObject({
  name: workflowName,
  version: workflowVersion
    .optional()
    .describe("The version; by default the newest when the run is created. The run keeps it."),
  input: z.unknown().optional().describe("The value that expressions read as `input`."),
});
