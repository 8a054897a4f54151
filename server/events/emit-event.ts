import { type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { afterCommit, type Transaction } from "#db/client.ts";
import type { Change } from "#server/base/changes.ts";
import { idOf, NIL_UUID, newUuid, timeOf, uuidOf } from "#server/base/ids.ts";
import { causingRun } from "#server/operation/causing-run.ts";
import { runningPlatform } from "#server/platform.ts";
import type { PLATFORM_FAMILIES } from "#server/sent-events/schema.ts";
import { EVENTS, type EventType } from "./catalogue.ts";
import type { EventDeclaration } from "./event.ts";

/** An event to be emitted. */
export interface NewEvent<Type extends EventType = EventType> {
  type: Type;
  accountId: string;
  projectId: string | null;
  endUserId: string | null;
  /** Public id of the resource that the event concerns: `sequence` rises per resource. */
  resource: string;
  /** The service that a webhook's owner key must be allowed to use, if the catalogue does not name one. */
  serviceId?: string | null;
  /** For events of one branch of keys: the key that the event concerns; if null, no key's webhook receives it. */
  keyId?: string | null;
  /** The run that caused the event, if it is not the current one. */
  runId?: string;
  data: z.input<(typeof EVENTS)[Type]["data"]>;
}

const MAXIMUM_BYTES = 20 * 1024;
const LONGEST_SEQUENCE = 19;

/**
 * Inserts an event into the outbox, in the transaction of the change that caused it, so that both are committed or
 * neither. One statement, which costs almost nothing for an account without webhooks. Returns whether the event was
 * stored.
 */
export async function emitEvent<Type extends EventType>(
  tx: Transaction,
  event: NewEvent<Type>,
): Promise<boolean> {
  const [row] = await tx.execute<{ kept: boolean }>(sql`select ${emittedEvent(event)} as kept`);
  const kept = row?.kept ?? false;
  // In an operator's script there is no running platform; the relays find its events by polling.
  afterCommit(tx, () => publishEvent(event, kept));
  return kept;
}

/** `emitEvent` as a statement of a batch. */
export function emittedEvent<Type extends EventType>(event: NewEvent<Type>): SQL {
  const declaration: EventDeclaration = EVENTS[event.type];
  const id = newUuid();
  const [head, tail] = payloadOf(event, declaration.data.parse(event.data), id);
  const keyId = declaration.ownBranch ? keyUuid(event.keyId) : null;
  const runId = event.runId ?? causingRun();
  return sql`emit_event(${uuidOf("account", event.accountId)}, ${id}, ${event.type}, ${declaration.scope},
    ${event.serviceId ?? declaration.serviceId ?? null}, ${keyId}, ${declaration.accountWide ?? false},
    ${event.projectId && uuidOf("project", event.projectId)},
    ${event.endUserId && uuidOf("endUser", event.endUserId)}, ${event.resource}, ${head}, ${tail},
    ${runId && uuidOf("run", runId)}::uuid)`;
}

/** Publishes a committed event: wakes the relays if it was stored, and notifies open pages. */
export function publishEvent({ accountId, type }: Pick<NewEvent, "accountId" | "type">, kept: boolean): void {
  const running = runningPlatform();
  if (kept) running?.wakeUps.send("events");
  running?.changes.publish(accountId, changeOf(type));
}

// No name of a customer's own event begins with one of these.
const CHANGE_OF: Record<(typeof PLATFORM_FAMILIES)[number], Change> = {
  api_key: "apiKeys",
  app: "apps",
  approval: "approvals",
  artifact: "artifacts",
  connection: "connections",
  credits: "credits",
  database: "databases",
  file: "files",
  project: "projects",
  run: "runs",
  swap: "swaps",
  trading: "trading",
  trigger: "triggers",
  wallet: "wallets",
  webhook: "webhooks",
};

type Family<Type> = Type extends `${infer First}.${string}` ? First : never;

function changeOf(type: EventType): Change {
  return CHANGE_OF[type.split(".", 1)[0] as Family<EventType>];
}

const keyUuid = (keyId: string | null | undefined) => (keyId && uuidOf("apiKey", keyId)) || NIL_UUID;

/** Returns the payload as two parts, between which the database inserts the event's number. */
export function payloadOf(
  { type, projectId, resource }: Pick<NewEvent, "type" | "projectId" | "resource">,
  data: Record<string, unknown>,
  id: string,
): [head: string, tail: string] {
  const fields = JSON.stringify({
    id: idOf("webhookEvent", id),
    type,
    timestamp: timeOf(id).toISOString(),
    apiVersion: "v1",
  });
  const head = `${fields.slice(0, -1)},"sequence":`;
  const tail = (data: unknown) => `,"projectId":${JSON.stringify(projectId)},"data":${JSON.stringify(data)}}`;
  const whole = tail(data);
  if (Buffer.byteLength(head) + LONGEST_SEQUENCE + Buffer.byteLength(whole) <= MAXIMUM_BYTES)
    return [head, whole];
  return [head, tail({ id: resource, status: statusOf(data), truncated: true })];
}

/** Returns the status of the event's resource. */
function statusOf(data: Record<string, unknown>): unknown {
  const [resource] = Object.values(data);
  return typeof resource === "object" && resource !== null && "status" in resource ? resource.status : null;
}
