import { ApiError, invalid } from "#server/operation/errors.ts";
import { parseKeepingDigits } from "#server/operation/json-text.ts";
import { storable } from "#server/operation/storable.ts";
import { type ConfinedOptions, createConfined } from "./confined.ts";
import { EXPRESSIONS } from "./confined-child.ts";
import type { Evaluated, Task } from "./expression-process.ts";

/** A template to evaluate, with its scope. */
export interface Evaluation extends Omit<Task, "scope"> {
  /** Returns the scope as JSON, when the evaluation begins. */
  scope(): string;
}

/** Evaluates customers' expressions in processes of their own. */
export function createEvaluator(options: ConfinedOptions = {}) {
  const ask = createConfined(EXPRESSIONS, options);

  /** Returns the template with its expressions replaced by values; undefined if a lone expression selects nothing. */
  return async (accountId: string, { scope, ...rest }: Evaluation): Promise<unknown> => {
    const task = () => `${JSON.stringify(rest).slice(0, -1)},"scope":${scope()}}`;
    return valueIn(await ask(accountId, rest.path, task));
  };
}

/** One pool for all runs: processes cost memory, and evaluations are short. */
export const evaluate = createEvaluator();

function valueIn(line: string): unknown {
  const { value, fault } = parseKeepingDigits<Evaluated>(line);
  if (fault?.limit) throw new ApiError("query_limit_exceeded", `${fault.path}: ${fault.message}`);
  // `$error` contains any text of the customer's, even text that cannot be stored.
  if (fault) throw invalid(fault.path, storable(fault.message, 1000));
  return value;
}
