import { ApiError, isErrorCode, type OperationState } from "#server/operation/errors.ts";
import { toStored } from "#server/operation/payload.ts";
import { endWaits } from "./end-waits.ts";
import { Abandoned, type BlockEnd, type BlockFailure, isFailure, RunFailure } from "./run-context.ts";
import { MESSAGE_CHARACTERS, type StepParts } from "./step-lifecycle.ts";

/** A failure as stored in the journal. */
interface NotedFailure extends BlockFailure {
  operationState?: OperationState | undefined;
  retryAfterSeconds?: number | undefined;
}

/** Runs a block of steps. Its failure is decided once: a replay reads it from the journal. */
export async function guardBlock<T>(
  { run, db, journal, control, lifecycle }: StepParts,
  name: string,
  takes: (failure: BlockFailure) => boolean,
  work: (onlyRead: boolean) => Promise<T>,
): Promise<BlockEnd<T>> {
  const { enter, outputOf, execution } = lifecycle;
  const note = `${name}:failed`;
  const entry = enter(note);
  if (entry) {
    const noted = outputOf<NotedFailure>(note, entry);
    await work(true).catch((reason) => {
      if (!isFailure(reason) && !(reason instanceof Abandoned)) throw reason;
    });
    return failed(noted, errorOf(noted));
  }
  try {
    return { value: await work(false), failure: null };
  } catch (reason) {
    if (control.abort.signal.aborted || !isFailure(reason)) throw reason;
    const noted = failureOf(reason, execution.stepOf.get(reason) ?? null);
    if (!takes(noted)) throw reason;
    const { code, step } = noted;
    await endWaits({ run, db, journal, lifecycle }, name, {
      note,
      output: toStored(run, note, noted),
      code,
      step,
    });
    return failed(noted, reason);
  }

  function failed({ code, message, step }: NotedFailure, reason: Error): BlockEnd<T> {
    if (step) execution.stepOf.set(reason, step);
    execution.decided.add(reason);
    return { value: null, failure: { code, message, step }, reason };
  }
}

function failureOf(reason: ApiError | RunFailure, step: string | null): NotedFailure {
  const failure = { code: reason.code, message: reason.message.slice(0, MESSAGE_CHARACTERS), step };
  if (reason instanceof RunFailure) return failure;
  return {
    ...failure,
    operationState: reason.operationState,
    retryAfterSeconds: reason.details.retryAfterSeconds,
  };
}

function errorOf({ code, message, operationState, retryAfterSeconds }: NotedFailure): Error {
  if (operationState === undefined || !isErrorCode(code)) return new RunFailure(code, message);
  return new ApiError(code, message, {
    operationState,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}
