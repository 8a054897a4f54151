import { z } from "zod";
import {
  exampleId,
  instant,
  keepsDirection,
  label,
  metadata,
  turnsDirection,
  typeId,
} from "#server/operation/fields.ts";
import { PROJECT_STATUSES } from "./statuses.ts";

const slug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "Lower-case letters, digits and single hyphens between them.")
  .max(200)
  .describe("Short name for URLs, unique in the account.");
const description = z
  .string()
  .max(2000)
  .refine(keepsDirection, turnsDirection)
  .describe("What the project is for.");

export const Project = z
  .object({
    id: typeId("project"),
    name: z.string().describe("The project's name."),
    slug: z.string().describe("Short name for URLs, unique in the account."),
    description: z.string().nullable().describe("What the project is for."),
    metadata: metadata,
    status: z.enum(PROJECT_STATUSES).meta({
      id: "ProjectStatus",
      description:
        "The status. An archived project can't be changed, and keys that are bound to it can only read.",
    }),
    createdAt: instant,
    updatedAt: instant,
    archivedAt: instant.nullable().describe("When the project was archived; null if it is active."),
  })
  .meta({
    id: "Project",
    description: "A part of the account that keys and resources can be bound to.",
    examples: [
      {
        id: exampleId("project"),
        name: "Web shop",
        slug: "web-shop",
        description: "Orders and payments.",
        metadata: { costCentre: "eu-12" },
        status: "active",
        createdAt: "2027-01-31T12:00:00.000Z",
        updatedAt: "2027-01-31T12:00:00.000Z",
        archivedAt: null,
      },
    ],
  });

export type Project = z.output<typeof Project>;

export const ProjectParams = z.object({ projectId: typeId("project") });

export const CreateProject = z.object({
  name: label.describe("The project's name, 1 to 200 characters."),
  slug: slug
    .optional()
    .describe("Short name for URLs, unique in the account. By default derived from the name."),
  description: description.nullable().optional(),
  metadata: metadata.optional(),
});

export const UpdateProject = z.object({
  name: label.optional().describe("The project's new name."),
  slug: slug.optional(),
  description: description.nullable().optional().describe("What the project is for; null clears it."),
  metadata: metadata.nullable().optional().describe("Replaces the metadata; null clears it."),
});
