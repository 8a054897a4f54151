import { z } from "zod";
import { instant, typeId } from "#server/operation/fields.ts";
import type { Scope } from "#server/operation/scopes.ts";

/** What each delivery's body has beside its `type` and its `data`. */
export const envelope = {
  id: typeId("webhookEvent").describe("The event's id, the same in every attempt and replay."),
  timestamp: instant.describe("When it happened."),
  apiVersion: z.literal("v1").describe("The version of the API that its form follows."),
  sequence: z.int().describe("Rises per thing, over all its events: a lower one is older."),
  projectId: typeId("project").nullable().describe("The project that it happened in."),
};

/** What is declared of an event, once: its schema validates what is sent and is in the OpenAPI document. */
export interface EventFacts<Data extends z.ZodObject = z.ZodObject> {
  /** When it happens, as a sentence. */
  description: string;
  /** What a webhook's owner key must hold to get it. */
  scope: Scope;
  /** The service whose boundary applies, where it is always the same one. */
  serviceId?: string;
  /** Whether only the key that it is about and those above it may know of it; then `keyId` is sent with it. */
  ownBranch?: boolean;
  /** Whether it is about the whole account, which can be read from within any project. */
  accountWide?: boolean;
  data: Data;
}

/** Declares the events of a thing, by what follows its name: `{ created: "…" }` → `project.created`. */
export function eventsOf<Thing extends string, Name extends string, Data extends z.ZodObject>(
  thing: Thing,
  facts: Omit<EventFacts<Data>, "description">,
  names: Record<Name, string>,
): Record<`${Thing}.${Name}`, EventFacts<Data>> {
  const made = Object.entries<string>(names).map(([name, description]) => [
    `${thing}.${name}`,
    { ...facts, description },
  ]);
  return Object.fromEntries(made);
}
