import { defined } from "#server/base/defined.ts";
import { titleOf } from "#server/catalogue/action-text.ts";
import { ApiError, type ErrorCode } from "#server/operation/errors.ts";
import { isPlatformFault } from "#server/operation/faults.ts";
import { splitInput } from "#server/operation/merged-input.ts";
import { abridged } from "#server/operation/shown-text.ts";
import { platform } from "#server/platform.ts";
import type { OfferedTool, ToolCall } from "#server/providers/model/model.ts";
import { type RunContext, RunFailure } from "#server/runs/run-context.ts";
import type { Budget } from "./budget.ts";
import type { ToolResult } from "./prompt.ts";
import { AGENT_LIMITS, type ToolUse } from "./schema.ts";
import { type AgentTool, allowedTools, readsOnly } from "./tools.ts";
import { writeArtifact } from "./write-artifact.ts";

/** The context of an agent's tool calls. */
export interface Toolbox {
  run: RunContext;
  /** Its tools other than the platform's actions. */
  own: readonly OfferedTool[];
  tools: readonly AgentTool[];
  budget: Budget;
  approveWrites: boolean;
}

/** A call's outcome, for the run's result and for the model. */
export interface CalledTool {
  use: ToolUse;
  result: ToolResult;
}

/** A call that can be made, with the credits reserved for it. */
export interface PlannedCall {
  call: ToolCall;
  tool: AgentTool;
  credits: number;
}

/** Why a call was not made. */
type Refusal = Pick<ApiError, "message"> & { code: string };

const PARALLEL_READS = 4;

/**
 * Makes the calls that the model requested in one response. Each is checked against the run's credits before any is
 * made. Reads run concurrently; if any call changes something, all run one after the other.
 */
export async function callTools(
  box: Toolbox,
  step: number,
  calls: readonly ToolCall[],
): Promise<CalledTool[]> {
  const planned = calls.map((call, nth) => plan(box, call, nth));
  const reading = planned.every((one) => !("tool" in one) || readsOnly(one.tool.action));
  return box.run.map(planned, reading ? PARALLEL_READS : 1, async (one, nth) => {
    if ("refusal" in one) return refused(defined(calls[nth]), null, one.refusal, "refused");
    if (!("tool" in one)) return keepFile(box, `tool ${step}.${nth + 1}, ${one.call.name}`, one.call);
    const used = await callTool(box, `tool ${step}.${nth + 1}, ${one.tool.name}`, one);
    box.budget.release(one.credits - used.use.chargedCredits);
    return used;
  });
}

function plan(
  { own, tools, budget }: Toolbox,
  call: ToolCall,
  nth: number,
): PlannedCall | { call: ToolCall } | { refusal: Refusal } {
  const most = AGENT_LIMITS.maximumToolCallsPerStep;
  const refuse = (code: ErrorCode, message: string) => ({ refusal: { code, message } });
  const tool = tools.find(({ name }) => name === call.name);
  const isOwn = own.some(({ name }) => name === call.name);
  if (nth >= most) return refuse("invalid_request", `At most ${most} calls at once. Make this one later.`);
  if (!tool && !isOwn)
    return refuse("not_found", `No tool ${call.name.slice(0, 100)}. Use those that you are offered.`);
  if (!call.readable)
    return refuse("invalid_json", "The arguments are no JSON object. Send them again as one.");
  if (!tool) return { call };
  const credits = tool.action.question?.credits ?? 0;
  if (budget.reserve(credits)) return { call, tool, credits };
  return refuse(
    "insufficient_credits",
    `It may cost ${credits} credits; ${budget.left()} of the run's own are left. Do without it.`,
  );
}

async function callTool(
  { run, approveWrites }: Toolbox,
  name: string,
  planned: PlannedCall,
): Promise<CalledTool> {
  const { call, tool, credits } = planned;
  const { action } = tool;
  const write = !readsOnly(action);
  return attempt(run, name, { call, operation: action.operation, write }, async () => {
    const input = await inputFor(tool, call.input);
    if (write && approveWrites) await approveWrite(run, name, planned);
    const body = await run.call(name, action.declared.operationId, input);
    const { chargedCredits = credits } = body as { chargedCredits?: number };
    return { data: body, chargedCredits };
  });
}

function keepFile({ run }: Toolbox, name: string, call: ToolCall): Promise<CalledTool> {
  return attempt(run, name, { call, operation: null, write: false }, async () => ({
    data: { artifact: await writeArtifact(run, name, call.input) },
    chargedCredits: 0,
  }));
}

/** Makes a call, and returns a result that the model can continue with. */
async function attempt(
  run: RunContext,
  name: string,
  { call, operation, write }: { call: ToolCall; operation: string | null; write: boolean },
  work: () => Promise<{ data: unknown; chargedCredits: number }>,
): Promise<CalledTool> {
  // A refusal is journalled, since a replay might succeed although the model was told otherwise.
  const refusal = `${name}, refused`;
  const before = run.recorded(refusal);
  if (before) return before.output as CalledTool;
  try {
    const { data, chargedCredits } = await work();
    const use = { tool: call.name, operation, errorCode: null, chargedCredits };
    return { use: { ...use, outcome: "succeeded" }, result: { data } };
  } catch (reason) {
    if (!(reason instanceof RunFailure || reason instanceof ApiError)) throw reason;
    const outcome = outcomeOf(reason, write);
    if (!outcome) throw reason;
    const { code, message } = reason;
    const details =
      reason instanceof ApiError
        ? { issues: reason.details.issues, operationState: reason.operationState }
        : {};
    return run.note(refusal, async () => refused(call, operation, { code, message, ...details }, outcome));
  }
}

/**
 * Returns the outcome of an error that the agent can continue after. Null if its key is no longer valid, if a change
 * may have been made, or if a retry of the run will make the call again under the same key.
 */
function outcomeOf(reason: unknown, write: boolean): "failed" | "rejected" | null {
  if (reason instanceof RunFailure) return reason.code === "approval_rejected" ? "rejected" : null;
  if (!(reason instanceof ApiError) || reason.status === 401 || isPlatformFault(reason)) return null;
  return write && reason.operationState === "unknown" ? null : "failed";
}

/** Splits the model's arguments into the operation's input; malformed ones are reported like any fault. */
async function inputFor({ action: { declared, capability, serviceId } }: AgentTool, input: unknown) {
  const fields = capability && isFields(input) ? { ...input, serviceId, operationId: capability.id } : input;
  const { params, readQuery, readBody } = splitInput(declared, fields);
  return { params, query: readQuery() as Record<string, string>, body: await readBody() };
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function refused(
  { name }: ToolCall,
  operation: string | null,
  refusal: Refusal,
  outcome: ToolUse["outcome"],
): CalledTool {
  return {
    use: {
      tool: name.slice(0, 100),
      operation,
      outcome,
      errorCode: refusal.code,
      chargedCredits: 0,
    },
    result: { error: { ...refusal } },
  };
}

/** Waits for a person's approval, unless the key may not make the call: then it is refused without asking. */
async function approveWrite(run: RunContext, name: string, planned: PlannedCall): Promise<void> {
  const { call, tool, credits } = planned;
  // Journalled, since a replay must decide the same.
  const { db } = platform().database;
  const allowed = await run.note(
    `${name}, access`,
    async () => (await allowedTools(db, run.caller, [tool])).length > 0,
  );
  if (!allowed) return;
  const { operation } = tool.action;
  const price = credits === 0 ? "" : credits === 1 ? ", for 1 credit" : `, for up to ${credits} credits`;
  const asked = `The agent of ${run.id} asks for “${titleOf(tool.action)}” (${operation})${price}`;
  await run.approval(`${name}, approval`, {
    summary: `${asked}, with ${abridged(call.input)}.`,
    bareSummary: `${asked}.`,
    payload: { operation, input: call.input },
    initiatorMayApprove: true,
  });
}
