import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  InvalidRequestError,
  LimitError,
  OutcomeUnknownError,
  PaymentError,
  PermissionError,
  PlatformError,
} from "../../typescript/src/index.ts";

/** The exit codes, which scripts rely on. */
export const EXIT = { failed: 1, usage: 2, notSignedIn: 3, refused: 4, limit: 5, unknown: 6 } as const;

/** An invalid command line. */
export class UsageError extends Error {
  /** The command that shows help. */
  readonly hint: string;

  constructor(message: string, hint = "msp help lists the commands; --help after one says what it takes.") {
    super(message);
    this.hint = hint;
  }
}

/** There is no credential, or it is not accepted. */
export class NotSignedInError extends Error {}

/** A failure as it is shown. */
export interface Failure {
  exit: number;
  message: string;
  /** How to fix it. */
  hints: string[];
  /** The fields of the error in JSON. */
  fields: Record<string, unknown>;
}

/** Converts an error of a command to its output; `repeat` is the idempotency key of a write that was sent. */
export function failureOf(error: unknown, repeat: string | null): Failure {
  if (error instanceof UsageError) return plain(error, EXIT.usage, [error.hint]);
  if (error instanceof NotSignedInError) return plain(error, EXIT.notSignedIn, []);
  const again = `Send it again with --idempotency-key ${repeat}: it never acts twice.`;
  if (error instanceof ApiError) return refusalOf(error, again);
  if (error instanceof ConnectionError && repeat !== null)
    return plain(error, EXIT.unknown, ["Whether anything happened is not known.", again]);
  if (error instanceof PlatformError || (error instanceof Error && "code" in error))
    return plain(error, EXIT.failed, []);
  throw error;
}

function plain(error: Error, exit: number, hints: string[]): Failure {
  return { exit, message: error.message, hints, fields: { code: codeOf(exit), message: error.message } };
}

const codeOf = (exit: number) => Object.entries(EXIT).find(([, code]) => code === exit)?.[0] ?? "failed";

function refusalOf(error: ApiError, again: string): Failure {
  const { code, status, requestId, docUrl, retryable, operationState, issues, retryAfterSeconds } = error;
  return {
    exit: exitOf(error),
    message: error.message,
    hints: [
      ...(issues.length > 1 ? issues.map(({ path, message }) => `${path}: ${message}`) : []),
      ...(error instanceof AuthenticationError ? ["Sign in with msp login, or set PLATFORM_API_KEY."] : []),
      ...(code === "scope_missing" ? ["msp login --scope SCOPE asks for more; msp whoami shows yours."] : []),
      ...(error instanceof OutcomeUnknownError ? [again] : []),
      ...(retryAfterSeconds === undefined ? [] : [`Wait ${retryAfterSeconds} seconds.`]),
      `${code} (${status}), request ${requestId}. ${docUrl}`,
    ],
    fields: {
      code,
      status,
      message: error.message,
      requestId,
      docUrl,
      retryable,
      operationState,
      ...(issues.length > 0 && { issues }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    },
  };
}

function exitOf(error: ApiError): number {
  if (error instanceof OutcomeUnknownError) return EXIT.unknown;
  if (error instanceof AuthenticationError) return EXIT.notSignedIn;
  if (error instanceof PermissionError || error instanceof PaymentError) return EXIT.refused;
  if (error instanceof LimitError) return EXIT.limit;
  return error instanceof InvalidRequestError && error.code === "invalid_request" ? EXIT.usage : EXIT.failed;
}

/** Returns the message of a thrown value. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
