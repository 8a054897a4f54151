import { ApiError } from "#server/operation/errors.ts";
import { platform } from "#server/platform.ts";
import {
  type Model,
  type ModelAnswer,
  ModelError,
  type ModelRequest,
} from "#server/providers/model/model.ts";
import type { RunContext } from "#server/runs/run-context.ts";
import type { Budget } from "./budget.ts";

/** A model as a run uses it. */
export interface ChosenModel {
  model: Model;
  creditsPerThousandTokens: number;
  /** What a person can look after when it fails: the operator's setting, or the connection. */
  endpoint: string;
  /** Where its credential comes from. */
  credential: string;
}

/** How long a run waits before it asks again. When these are used up its own attempts decide. */
const WAITS = [1, 4];
/** An endpoint that asks for more patience is not waited for within an attempt. */
const LONGEST_WAIT = 60;

/**
 * Asks the model, and again after a while where it is unreachable, limiting or lost: an answer that never came has done
 * nothing of ours. What was answered is journalled, so nothing is asked twice after a crash, with the tokens that it has
 * used: those are charged whatever becomes of the run.
 */
export async function callModel(
  run: RunContext,
  name: string,
  { chosen, budget }: { chosen: ChosenModel; budget: Budget },
  request: () => Promise<ModelRequest>,
): Promise<ModelAnswer> {
  const ask = () =>
    run.effect<ModelAnswer>(
      name,
      {
        repeatable: true,
        timeoutSeconds: platform().settings.modelTimeoutSeconds + 5,
        uses({ usage }, before) {
          const units = before.units + usage.inputTokens + usage.outputTokens;
          return { units, credits: Math.max(before.credits, budget.tokenCredits(units)) };
        },
      },
      async ({ signal, write }) => {
        const asked = await request();
        return chosen.model.answer(asked, signal, write).catch((reason) => {
          throw reason instanceof ModelError ? apiError(reason, chosen) : reason;
        });
      },
    );
  for (const [nth, wait] of WAITS.entries()) {
    const done = await run.attempt(name, nth + 1, (reason) => secondsUntilNext(reason, wait), ask);
    if (done) return done.value;
  }
  return ask();
}

/** How long to wait before the model is asked again, where the fault passes by itself; null where it does not. */
function secondsUntilNext(reason: unknown, wait: number): number | null {
  const cause = reason instanceof ApiError ? reason.cause : null;
  if (!(cause instanceof ModelError)) return null;
  const passes = cause.fault === "unreachable" || cause.fault === "limiting" || cause.fault === "lost";
  const seconds = Math.max(wait, cause.retryAfterSeconds ?? 0);
  return passes && seconds <= LONGEST_WAIT ? seconds : null;
}

function apiError(cause: ModelError, { endpoint, credential }: ChosenModel): ApiError {
  const { fault, message, retryAfterSeconds } = cause;
  const details = retryAfterSeconds === null ? {} : { retryAfterSeconds };
  switch (fault) {
    case "unreachable":
      return new ApiError(
        "service_unavailable",
        `The model endpoint of ${endpoint} is not available. ${message}`,
        details,
        { cause },
      );
    case "limiting":
      return new ApiError(
        "service_rate_limited",
        `The model endpoint of ${endpoint} asks to wait. ${message}`,
        details,
        { cause },
      );
    case "denied":
      return new ApiError(
        "service_unavailable",
        `The model endpoint of ${endpoint} refuses ${credential}. ${message}`,
        {},
        { cause },
      );
    case "lost":
      return new ApiError(
        "service_timeout",
        `The model endpoint of ${endpoint} gave no whole answer. ${message}`,
        {},
        { cause },
      );
    case "broken":
      return new ApiError(
        "service_failed",
        `The model endpoint of ${endpoint} did not do as asked. ${message}`,
        {},
        { cause },
      );
  }
}
