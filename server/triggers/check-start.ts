import { refuseUnfit } from "#server/connections/queries.ts";
import { questionOf } from "#server/operation/access.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError, type Issue } from "#server/operation/errors.ts";
import { invalidRequest } from "#server/operation/input.ts";
import type { Operation } from "#server/operation/operation.ts";
import { refuseDenied } from "#server/operation/refuse-denied.ts";
import { selectedBy } from "#server/operation/tenancy.ts";
import { platform } from "#server/platform.ts";
import { connectionOf, parseCapabilityInput, usableCapability } from "#server/services/capabilities.ts";
import type { Capability } from "#server/services/service.ts";
import type { PinnedVersion } from "#server/workflows/queries.ts";
import { addOccasion, SAMPLE_EVENT, SAMPLE_TIME, templatePaths } from "./occasion.ts";
import type { PutTrigger } from "./schema.ts";

type Start = PutTrigger["start"];

/** The operation that creates runs. */
export function runsCreate(): Operation {
  const found = platform().operations.find(({ operationId }) => operationId === "runs.create");
  if (!found) throw new ApiError("service_unavailable", "This installation creates no runs.");
  return found;
}

/**
 * Refuses a start that its owner could not make by `POST /runs`. Values that expressions produce for an event are
 * checked when the event comes.
 */
export async function refuseStart(caller: Caller, start: Start, byEvent: boolean): Promise<void> {
  const { db } = platform().database;
  const { serviceId, operationId } = start;
  const capability = await underStart(async () => usableCapability("run", serviceId, operationId, start));
  await refuseCreating(caller, start);
  const refused = refusalOf(capability, start);
  if (refused) throw new ApiError("invalid_request", refused.message, { issues: [refused] });
  const connectionId = connectionOf(capability, start);
  const path = "body.input.start.input";
  const open = byEvent ? templatePaths(capability, start.input, path) : [];
  const occasion = byEvent ? SAMPLE_EVENT : SAMPLE_TIME;
  const input = await parseCapabilityInput(capability, addOccasion(capability, start.input, occasion), path, {
    accountId: caller.accountId,
    connectionId,
  }).catch((reason) => refuseOutside(open, reason));
  if (connectionId !== undefined)
    await underStart(() => refuseUnfit(db, caller, connectionId, capability.address));
  if (open.length === 0) await capability.pin?.(input, selectedBy(caller), path);
}

/** Refuses faults beside these paths. */
function refuseOutside(open: readonly string[], reason: unknown): void {
  const issues = reason instanceof ApiError ? reason.details.issues : undefined;
  if (!issues) throw reason;
  const outside = issues.filter(({ path }) => !open.includes(path));
  if (outside.length > 0) throw invalidRequest(outside);
}

function refusalOf({ requiresApproval, usesConnection }: Capability, start: Start): Issue | null {
  const { serviceId, operationId, connectionId } = start;
  if (requiresApproval)
    return {
      path: "body.input.start.operationId",
      message: `Each call of ${serviceId} ${operationId} needs an approval of its own, so nothing starts it by itself.`,
    };
  if (connectionId !== undefined && !usesConnection)
    return {
      path: "body.input.start.connectionId",
      message: `${serviceId} uses no connection. Leave it out.`,
    };
  return null;
}

/** Returns the version of a stored workflow that a start names by number; it is then kept for the trigger. */
export async function versionNamed(
  caller: Caller,
  { serviceId, operationId, input }: Start,
): Promise<PinnedVersion | null> {
  const named = (input ?? {}) as { version?: unknown };
  if (typeof named.version !== "number") return null;
  const capability = usableCapability("run", serviceId, operationId, {});
  return (
    (await capability.pin?.(
      addOccasion(capability, input, SAMPLE_TIME),
      selectedBy(caller),
      "body.input.start.input",
    )) ?? null
  );
}

/** Maps faults in fields of `POST /runs` to the fields of the start. */
async function underStart<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError) || !error.details.issues) throw error;
    const issues = error.details.issues.map(({ path, message }) => ({
      path: path.replace(/^body\./, "body.input.start."),
      message,
    }));
    throw new ApiError(error.code, error.message.replaceAll("body.", "body.input.start."), {
      ...error.details,
      issues,
    });
  }
}

/** Refuses callers who may not create such a run: a trigger must not bypass the scope and boundary of `runs.create`. */
async function refuseCreating(caller: Caller, { serviceId, operationId }: Start): Promise<void> {
  const { registrations, database } = platform();
  refuseScope(caller);
  const question = questionOf(runsCreate(), { serviceId, operationId }, registrations);
  await refuseDenied(database.db, caller, question);
}

/** Refuses callers who may not create runs at all. */
export function refuseScope(caller: Caller): void {
  if (caller.scopes.includes("runs:write")) return;
  const who = caller.type === "key" ? `Key ${caller.id}` : "Your role";
  throw new ApiError("scope_missing", `${who} lacks the scope runs:write, which starting runs needs.`, {
    check: "scope",
    ...(caller.type === "key" && { keyId: caller.id }),
  });
}
