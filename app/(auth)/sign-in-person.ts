import type { Problem } from "#components/ui/problem.ts";

const refusals: Record<string, string> = {
  wrong_credentials: "The e-mail address or the password is wrong.",
  no_account: "You are a member of no account any more. Ask an owner to invite you.",
  invitation_over: "The invitation was used, revoked, or has expired. Ask for another one.",
  invitation_for_another: "The invitation is for another e-mail address than this one.",
};

/** The reason why signing in failed, as forms show it. */
class SignInFailure extends Error {
  readonly refusal: string;
  readonly error: Problem;

  constructor(refusal: string) {
    const wait = /^wait:(\d+)$/.exec(refusal)?.[1];
    const message = wait
      ? `There were too many tries. Wait ${wait} second${wait === "1" ? "" : "s"}, then try again.`
      : (refusals[refusal] ?? "The platform could not check who you are. Try again in a moment.");
    super(message);
    this.refusal = refusal;
    const issues =
      refusal === "code_wrong"
        ? [{ path: "body.code", message: "The code is wrong, or was used before. Wait for the next one." }]
        : [];
    this.error = {
      code: refusal,
      message,
      operationState: "not_started",
      retryable: false,
      requestId: null,
      issues,
    };
  }
}

/** True if only the second factor's code is missing. */
export function needsCode(error: unknown): boolean {
  return error instanceof SignInFailure && error.refusal === "code_required";
}

/** Signs a person in; the browser then has the session's cookie. */
export async function signInPerson(credentials: {
  email: string;
  password: string;
  code?: string | undefined;
  invitation?: string | undefined;
}): Promise<void> {
  const { signIn } = await import("next-auth/react");
  const sent = Object.entries(credentials).filter(([, value]) => value !== undefined);
  const answer = await signIn("credentials", { ...Object.fromEntries(sent), redirect: false });
  if (answer?.error) throw new SignInFailure(answer.error);
}
