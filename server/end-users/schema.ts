import { z } from "zod";
import { exampleId, instant, typeId } from "#server/operation/fields.ts";

export const EndUser = z
  .object({
    id: typeId("endUser"),
    externalId: z.string().describe("Your own id of the end user, as calls name them."),
    createdAt: instant,
  })
  .meta({
    id: "EndUser",
    description: "One of the customer app's end users, stored when a call first stores something for them.",
    examples: [
      { id: exampleId("endUser"), externalId: "customer-81", createdAt: "2027-01-31T12:00:00.000Z" },
    ],
  });

export type EndUser = z.output<typeof EndUser>;

export const EndUserParams = z.object({ endUserId: typeId("endUser") });
