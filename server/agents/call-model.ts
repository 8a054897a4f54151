import { ApiError } from "#server/operation/errors.ts";
import { platform } from "#server/platform.ts";
import {
  type Model,
  type ModelAnswer,
  ModelError,
  type ModelFault,
  type ModelRequest,
} from "#server/providers/model/model.ts";
import type { RunContext } from "#server/runs/run-context.ts";

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

interface Fault {
  fault: ModelFault;
  message: string;
  wait: number;
}

/**
 * Asks the model, and again after a while where it is unreachable, limiting or lost: an answer that never came has done
 * nothing of ours. What was answered is journalled, so nothing is asked twice after a crash.
 */
export async function callModel(
  run: RunContext,
  name: string,
  chosen: ChosenModel,
  request: () => Promise<ModelRequest>,
): Promise<ModelAnswer> {
  for (let tries = 0; ; tries += 1) {
    const step = tries === 0 ? name : `${name}, try ${tries + 1}`;
    const options = { repeatable: true, timeoutSeconds: platform().settings.modelTimeoutSeconds + 5 };
    const outcome = await run.effect(step, options, async ({ signal }): Promise<ModelAnswer | Fault> => {
      const asked = await request();
      return chosen.model.answer(asked, signal).catch((reason) => faultOf(reason, chosen, WAITS[tries]));
    });
    if (!("fault" in outcome)) return outcome;
    await run.log(
      "warn",
      `The model did not answer. ${outcome.message} It is asked again in ${outcome.wait} s.`,
    );
    await run.wait(`${step}, wait`, outcome.wait);
  }
}

/** A fault that passes by itself, with how long to wait for that; any other is thrown. */
function faultOf(reason: unknown, chosen: ChosenModel, wait: number | undefined): Fault {
  if (!(reason instanceof ModelError)) throw reason;
  const { fault, message, retryAfterSeconds } = reason;
  const asked = Math.max(wait ?? 0, retryAfterSeconds ?? 0);
  const passes = fault === "unreachable" || fault === "limiting" || fault === "lost";
  if (!passes || wait === undefined || asked > LONGEST_WAIT) throw apiError(reason, chosen);
  return { fault, message, wait: asked };
}

function apiError({ fault, message, retryAfterSeconds }: ModelError, { endpoint, credential }: ChosenModel) {
  const details = retryAfterSeconds === null ? {} : { retryAfterSeconds };
  switch (fault) {
    case "unreachable":
      return new ApiError(
        "service_unavailable",
        `The model endpoint of ${endpoint} is not available. ${message}`,
        details,
      );
    case "limiting":
      return new ApiError(
        "service_rate_limited",
        `The model endpoint of ${endpoint} asks to wait. ${message}`,
        details,
      );
    case "denied":
      return new ApiError(
        "service_unavailable",
        `The model endpoint of ${endpoint} refuses ${credential}. ${message}`,
      );
    case "lost":
      return new ApiError(
        "service_timeout",
        `The model endpoint of ${endpoint} gave no whole answer. ${message}`,
      );
    case "broken":
      return new ApiError(
        "service_failed",
        `The model endpoint of ${endpoint} did not do as asked. ${message}`,
      );
  }
}
