import { z } from "zod";
import { instant, typeId } from "#server/operation/fields.ts";
import type { Scope } from "#server/operation/scopes.ts";

/** The fields of each delivery's body beside `type` and `data`. */
export const envelope = {
  id: typeId("webhookEvent").describe("The event's id, the same in every attempt and replay."),
  timestamp: instant.describe("When the event happened."),
  apiVersion: z.literal("v1").describe("The API version of the event's format."),
  sequence: z
    .int()
    .describe("The event's number among all events of the same resource; a lower number is older."),
  projectId: typeId("project")
    .nullable()
    .describe("The project of the event's resource; null if it has none."),
};

/** The declaration of an event; its schema validates sent bodies and is in the OpenAPI document. */
export interface EventDeclaration<Data extends z.ZodObject = z.ZodObject> {
  /** A sentence that says when the event is emitted. */
  description: string;
  /** The scope that a webhook's owner key must have to receive it. */
  scope: Scope;
  /** The service whose boundary applies, if it is always the same one. */
  serviceId?: string;
  /** True if only the key that the event concerns and its ancestors may receive it; `keyId` is then required. */
  ownBranch?: boolean;
  /**
   * True if the event concerns the whole account and is visible within every project. Keys that are bound to a part of
   * the account get those of the managed database nevertheless not (`key_reads`), as they can't use it.
   */
  accountWide?: boolean;
  data: Data;
}

/** Declares the events of a resource by the rest of their names: `{ created: "…" }` → `project.created`. */
export function eventsOf<Resource extends string, Name extends string, Data extends z.ZodObject>(
  resource: Resource,
  declaration: Omit<EventDeclaration<Data>, "description">,
  names: Record<Name, string>,
): Record<`${Resource}.${Name}`, EventDeclaration<Data>> {
  const made = Object.entries<string>(names).map(([name, description]) => [
    `${resource}.${name}`,
    { ...declaration, description },
  ]);
  return Object.fromEntries(made);
}
