import { ApiError, invalid } from "#server/operation/errors.ts";
import { isWrittenNumber } from "#server/operation/exact-numbers.ts";
import { straightened } from "#server/operation/shown-text.ts";
import { storable } from "#server/operation/storable.ts";
import type { CallbackBounds, RunContext } from "#server/runs/run-context.ts";
import { awaitedOf } from "./awaited.ts";
import type { Fill, Frame, WorkflowInput } from "./frame.ts";
import type { SingleStep, Step } from "./schema.ts";
import { handOver, isRepeatable, type OutgoingRequest, sendRequest } from "./send-request.ts";
import { MAXIMUM_SECONDS } from "./step-fields.ts";

const HTTP_SECONDS = 30;

/** Runs a single step once and returns its output. A finished step is not even evaluated again. */
export async function runStep(
  { run, fill, attempt }: { run: RunContext<WorkflowInput>; fill: Fill; attempt: number },
  step: SingleStep,
  path: string,
  around: Frame,
): Promise<unknown> {
  const recorded = run.recorded(path);
  if (recorded) return outputOf(step, recorded.output);
  const { id: _, type, retry: __, timeoutSeconds: ___, ...template } = step;
  const callback = type === "http" ? step.callback : undefined;
  const frame = callback ? { ...around, callback: { url: await callbackUrl(callback) } } : around;
  const filled = (await fill(template, path, frame)) as Record<string, unknown>;
  const timeoutSeconds = secondsLeft(run, step, frame);
  // A step that waits for others knows its end, and whether its event came before that.
  if (type !== "run" && type !== "await" && !callback && timeoutSeconds !== undefined && timeoutSeconds <= 0)
    return refuse(timedOut(path));
  const limited = timeoutSeconds === undefined ? {} : { timeoutSeconds };
  const unusable = TEXTS.find((name) => name in step && !isText(filled[name]));
  if (unusable)
    return refuse(invalid(`${path}.${unusable}`, "Is no text that can be used: 1 to 20000 characters."));

  switch (type) {
    case "invoke": {
      const { serviceId, ...body } = filled;
      const call = { params: textsOf({ serviceId }), body };
      return outputOf(step, await run.call(path, "services.invoke", call, limited));
    }
    case "operation": {
      const { operation, params, query, body } = filled;
      const call = { params: textsOf(params), query: textsOf(query), body };
      return outputOf(step, await run.call(path, String(operation), call, limited));
    }
    case "http": {
      const repeatable = isRepeatable(step.method) || step.retry?.on?.includes("service_timeout") === true;
      const request = filled as unknown as OutgoingRequest;
      if (callback) {
        const sendSeconds = Math.min(HTTP_SECONDS, Math.max(timeoutSeconds ?? HTTP_SECONDS, 0.001));
        return run.awaitCallback(path, { attempt, repeatable, sendSeconds }, (effect) =>
          handOver(run.caller, request, effect),
        );
      }
      const options = { repeatable, timeoutSeconds: timeoutSeconds ?? HTTP_SECONDS };
      return run.effect(path, options, (effect) => sendRequest(run.caller, request, effect));
    }
    case "wait":
      return wait(Number(isWrittenNumber(filled.seconds) ? filled.seconds.rawJSON : filled.seconds));
    case "await": {
      const { timeoutSeconds, lookbackSeconds, onTimeout } = step;
      const { events, fault } = awaitedOf(step, filled.events);
      if (fault) return refuse(invalid(`${path}.${fault.path}`, fault.message));
      return run.awaitEvent(path, {
        events,
        lookbackSeconds,
        timeoutSeconds,
        deadline: frame.deadline,
        goesOnLate: onTimeout === "continue",
      });
    }
    case "approval": {
      // Also in the payload, which approvers read and whose hash they decide on.
      const summary = straightened(String(filled.summary));
      const payload = { runId: run.id, workflow: run.input.workflow.name, step: path, summary };
      const bareSummary = `The step ${path} of ${run.id} asks for an approval.`;
      return run.approval(path, { summary, bareSummary, payload, initiatorMayApprove: false, ...limited });
    }
    case "run": {
      const { name, version, input } = filled as Omit<Extract<Step, { type: "run" }>, "id" | "type">;
      const deadline = timeoutSeconds === undefined ? null : run.now() + timeoutSeconds * 1000;
      return run.child(path, { name, version, input }, deadline);
    }
    case "artifact": {
      const { name, mediaType, content } = filled;
      const text = typeof content === "string" ? content : JSON.stringify(content ?? null);
      const file = { name: straightened(String(name)), mediaType: String(mediaType) };
      return run.artifact(path, { ...file, content: Buffer.from(text) });
    }
  }

  /** Returns the callback address of this attempt, open no longer than the attempt may take. */
  function callbackUrl({ timeoutSeconds, heartbeatSeconds }: CallbackBounds): Promise<string> {
    const seconds = Math.min(timeoutSeconds, secondsLeft(run, step, around) ?? timeoutSeconds);
    return run.callbackAddress(path, attempt, { timeoutSeconds: Math.max(seconds, 0), heartbeatSeconds });
  }

  async function wait(seconds: number): Promise<null> {
    if (!(seconds >= 0 && seconds <= MAXIMUM_SECONDS))
      return refuse(invalid(`${path}.seconds`, `Send 0 to ${MAXIMUM_SECONDS}, not ${seconds}.`));
    // Decided once: when the run continues, the remaining time is another.
    const late =
      timeoutSeconds !== undefined && (await run.note(`${path}:late`, async () => timeoutSeconds < seconds));
    if (late) {
      await run.pause(`${path}:timeout`, timeoutSeconds);
      return refuse(timedOut(path));
    }
    await run.wait(path, seconds);
    return null;
  }

  /** Fails within the step, so that timeline and error name it. */
  function refuse(reason: ApiError): Promise<never> {
    return run.step(path, async () => {
      throw reason;
    });
  }
}

/** The fields that must be text once their expressions are evaluated. */
const TEXTS = ["connectionId", "url", "summary", "name", "mediaType"] as const;

function isText(value: unknown): boolean {
  return (
    typeof value === "string" && value !== "" && value.length <= 20_000 && storable(value, 20_000) === value
  );
}

/** Returns the part of the journalled output that later expressions see. */
function outputOf({ type }: SingleStep, recorded: unknown): unknown {
  return type === "invoke" ? (recorded as { result: unknown }).result : recorded;
}

/** Returns path and query fields as text, without null ones. */
function textsOf(fields: unknown): Record<string, string> {
  const given = Object.entries(fields ?? {}).filter(([, value]) => value !== null);
  return Object.fromEntries(
    given.map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
  );
}

/** Returns the seconds that the attempt may take, by its own limit and by the deadlines of the enclosing steps. */
function secondsLeft(
  run: Pick<RunContext, "now">,
  { timeoutSeconds }: SingleStep,
  { deadline }: Frame,
): number | undefined {
  if (deadline === null) return timeoutSeconds;
  const left = (deadline - run.now()) / 1000;
  return Math.min(left, timeoutSeconds ?? left);
}

function timedOut(path: string): ApiError {
  return new ApiError("service_timeout", `${path} was not done in its time.`);
}
