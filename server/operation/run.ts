import { defined } from "#server/base/defined.ts";
import { platform } from "#server/platform.ts";
import { archivedProject } from "./admission.ts";
import { ByteResult, byteResponse } from "./bytes.ts";
import type { Call, CallOutcome, ValidCall } from "./call.ts";
import type { CallResponse } from "./call-response.ts";
import { abandon, type Claim, PROLONG_MS } from "./claim.ts";
import { createCommit } from "./commit.ts";
import { ApiError } from "./errors.ts";
import { invalidRequest } from "./input.ts";
import type { Operation } from "./operation.ts";
import { serializedResponse, successBody } from "./response.ts";
import { inSearchTurn } from "./search-turns.ts";
import { SerializedResult } from "./serialized-result.ts";
import { streamResponse } from "./stream.ts";
import { StreamResult } from "./stream-result.ts";

/**
 * Runs the handler, for a write within its claim; returns null if another call with the key committed first.
 */
export async function run(valid: ValidCall, claim: Claim | null): Promise<CallOutcome | null> {
  if (claim) return runClaimed(valid, claim);
  const { call, context, response } = valid;
  refuseState(valid);
  const { caller, query } = context;
  const { search, query: text } = (query ?? {}) as { search?: unknown; query?: unknown };
  const searches = caller && (search ?? text) !== undefined;
  const handle = () => runHandler(valid);
  const result = searches ? await inSearchTurn(caller.accountId, handle) : await handle();
  const made = await responseOf(result, call, response);
  return { response: made, recorded: false, unflushed: null };
}

async function runHandler({ call, context }: ValidCall) {
  const { replica } = platform();
  return replica && call.operation.mayLag && call.transport === "console"
    ? replica.read((db) => call.operation.handler({ ...context, db }))
    : call.operation.handler(context);
}

async function responseOf(
  result: Awaited<ReturnType<Operation["handler"]>>,
  call: Call,
  response: CallResponse,
): Promise<CallResponse> {
  if (result instanceof StreamResult) return streamResponse(result, call, response);
  if (result instanceof ByteResult) return byteResponse(result, defined(call.byteRequest));
  if (result instanceof SerializedResult) return serializedResponse(call.operation, result, response);
  return { ...response, body: successBody(call.operation, result) };
}

/** Commits the effect, the response and the audit event of a write together, or none of them. */
async function runClaimed(valid: ValidCall, claim: Claim): Promise<CallOutcome | null> {
  const { call, context, bytes, external } = valid;
  const { operation } = call;
  const prolong = () => void claim.record.prolong?.().catch(() => undefined);
  const prolonging = claim.held ? setInterval(prolong, PROLONG_MS) : undefined;
  const { commit, progress } = createCommit(valid, claim.record);
  try {
    refuseState(valid);
    if (external)
      await operation.handler({ ...context, commit, effectId: claim.effectId, upload: bytes?.upload });
    else await commit((tx) => operation.handler({ ...context, db: tx }) as Promise<Record<string, unknown>>);
    if (!progress.outcome) throw new Error("The handler of an external operation did not commit.");
    return progress.outcome;
  } catch (reason) {
    return await abandon(valid, claim, progress, reason);
  } finally {
    clearInterval(prolonging);
  }
}

/**
 * Refuses faults that depend on the current state, such as an unknown name or an archived project. It runs
 * after the claim, so that a repeat gets its stored response whatever has changed since.
 */
function refuseState({ call: { operation }, context: { caller, body, request } }: ValidCall): void {
  const faults = operation.bodyFaults?.(body, request.at) ?? [];
  if (faults.length > 0) throw invalidRequest(faults);
  const { project } = caller ?? {};
  if (project?.status !== "archived") return;
  // A person may look around in an archived project; a key that can select another is told to.
  if (!project.bound && caller?.type !== "member") throw archivedProject(project.id);
  if (operation.idempotent)
    throw new ApiError(
      "state_conflict",
      `Project ${project.id} is archived: reading works, writing does not.`,
    );
}
