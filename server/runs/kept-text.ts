import { ERRORS, isErrorCode } from "#server/operation/errors.ts";
import type { ClaimedRun } from "./claim-runs.ts";
import type { RunView } from "./queries.ts";

/** Stands for a text that the privacy tier does not keep; `purge_runs` writes the same. */
export const NOT_KEPT = "The privacy tier does not keep this text.";

/**
 * Returns the message of a failure as it may be stored in clear. A message can quote the run's content, so on the tier
 * `strict` it is the meaning of the code.
 */
export function messageToStore(
  { privacyTier }: Pick<ClaimedRun, "privacyTier">,
  { code, message }: { code: string; message: string },
): string {
  if (privacyTier !== "strict") return message;
  return isErrorCode(code) ? ERRORS[code].meaning : NOT_KEPT;
}

/** Returns the run of the tier `private` or `strict` without its payloads, and without texts that can quote them. */
export function withoutContent(run: RunView): RunView {
  return {
    ...run,
    input: null,
    result: null,
    error: run.error && { ...run.error, message: NOT_KEPT },
    timeline: run.timeline.map((entry) => {
      if (entry.type === "log" || entry.type === "progress")
        return { ...entry, message: NOT_KEPT, data: null };
      return entry.type === "retry" || entry.level === "error" ? { ...entry, message: NOT_KEPT } : entry;
    }),
  };
}
