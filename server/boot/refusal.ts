import { SettingsError } from "../env/settings-error.ts";
import { ApiError } from "../operation/errors.ts";

/** An error that the operator sees as one sentence, without a stack trace. */
export class Refusal extends Error {}

/** Says on standard error why an operator's command failed, and fails the process. */
export function sayFailure(error: unknown): void {
  const known = error instanceof Refusal || error instanceof SettingsError || error instanceof ApiError;
  console.error(known ? error.message : error);
  process.exitCode = 1;
}
