export type Issue = { path: string; message: string };

/** The parts of the API's error object that the console shows. */
export type Problem = {
  code: string;
  message: string;
  operationState: "not_started" | "in_progress" | "completed" | "unknown";
  /** True if the same call may succeed when it is repeated. */
  retryable: boolean;
  requestId: string | null;
  issues: Issue[];
  /** The proof that the person has to give before the same call is repeated. */
  needs?: "proof" | "second_factor";
};

/**
 * Reads the error object of `/v1` from a call's error: tRPC carries it as `error.data.error`, a fetched body as
 * `error`. Any other error never reached the API.
 */
export function readProblem(error: unknown): Problem {
  const thrown = error as {
    data?: { error?: Partial<Problem> };
    error?: Partial<Problem>;
    message?: string;
    cause?: unknown;
  };
  const found = thrown.data?.error ?? thrown.error;
  return {
    code: found?.code ?? "unreachable",
    message: found?.message ?? (isUnanswered(thrown) ? undefined : thrown.message) ?? UNREACHABLE,
    operationState: found?.operationState ?? "unknown",
    retryable: found?.retryable ?? false,
    requestId: found?.requestId ?? null,
    issues: found?.issues ?? [],
    ...(found?.needs && { needs: found.needs }),
  };
}

const UNREACHABLE = "The server did not answer.";

/** A browser's own message for a call without a response, such as "Failed to fetch", is meant for developers. */
const isUnanswered = (thrown: { cause?: unknown }) =>
  thrown instanceof TypeError || thrown.cause instanceof TypeError;

/** True if the same call may succeed when it is repeated: it got no response, or the API says so. */
export function isWorthRepeating(error: unknown): boolean {
  const { code, retryable } = readProblem(error);
  return retryable || code === "unreachable";
}

const outcomes: Record<Problem["operationState"], string> = {
  not_started: "Nothing was changed.",
  in_progress: "It is still going on; look again before repeating it.",
  completed: "It has taken effect all the same; do not repeat it.",
  unknown: "Whether it took effect is not known; look before repeating it.",
};

/** Returns a sentence about the call's effect: nothing has happened, or something may have. */
export function outcomeSentence({ operationState, retryable, code }: Problem): string {
  if (operationState === "not_started" && retryable) return "Nothing was changed; it is safe to try again.";
  if (code === "unreachable" && retryable) return "Trying again does not do it twice.";
  if (code === "state_conflict") return "Nothing was changed; look at it as it is now.";
  return outcomes[operationState];
}
