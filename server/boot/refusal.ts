import { SettingsError } from "../env/settings-error.ts";
import { ApiError } from "../operation/errors.ts";
import { OtherVersion } from "./engines/initialise-postgres.ts";

/** An error that is shown to the operator as one sentence, without a stack trace. */
export class Refusal extends Error {}

/** Prints on standard error why an operator's command failed, and makes the process fail. */
export function sayFailure(error: unknown): void {
  const known = [Refusal, SettingsError, ApiError, OtherVersion].some((kind) => error instanceof kind);
  console.error(known && error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
