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

/** A model as chosen for a run. */
export interface ChosenModel {
  model: Model;
  creditsPerThousandTokens: number;
  /** The endpoint's name in error messages: the operator's setting, or the connection. */
  endpoint: string;
  /** The origin of its credential. */
  credential: string;
}

/** Seconds before each retry. After these, the run's own attempts take over. */
const WAITS = [1, 4];
/** If the endpoint asks for a longer wait, the attempt does not wait for it. */
const LONGEST_WAIT = 60;

/**
 * Calls the model, and retries if it is unreachable, rate-limited, or its response was lost: a lost response has no
 * effects on our side. The response is journalled, so that a crash does not repeat the call, together with its
 * tokens, which are charged whatever the run's outcome.
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
      async ({ signal, sending, write }) => {
        const asked = await request();
        await sending();
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

/** Returns how long to wait before the next attempt; null if the fault is permanent. */
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
