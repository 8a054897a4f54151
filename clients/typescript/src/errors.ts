import type { ErrorBody, ErrorCode } from "./generated/types.ts";

type Repeat = () => Promise<unknown>;

/** The base class of this package's errors. */
export class PlatformError extends Error {
  override readonly name: string = "PlatformError";
}

/** The platform did not respond: the connection failed, or a proxy responded. */
export class ConnectionError extends PlatformError {
  override readonly name: string = "ConnectionError";
  /** Repeats the same call with the same idempotency key, so that it executes at most once. */
  readonly repeat: Repeat;

  constructor(message: string, { repeat = unsendable, cause }: { repeat?: Repeat; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.repeat = repeat;
  }
}

/** No response came in time. */
export class TimeoutError extends ConnectionError {
  override readonly name: string = "TimeoutError";
}

const unsendable: Repeat = () => Promise.reject(new PlatformError("This call can't be repeated."));

/** The platform refused the call, or failed. */
export class ApiError extends PlatformError {
  override readonly name: string = "ApiError";
  /** The error's code; future versions may have other codes. */
  readonly code: ErrorCode;
  readonly status: number;
  readonly requestId: string;
  readonly docUrl: string;
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | undefined;
  /** `not_started`: nothing happened. */
  readonly operationState: ErrorBody["operationState"];
  readonly issues: NonNullable<ErrorBody["issues"]>;
  readonly check: ErrorBody["check"];
  readonly keyId: ErrorBody["keyId"];
  readonly limit: ErrorBody["limit"];
  readonly sqlState: string | undefined;
  readonly position: number | undefined;

  constructor(error: ErrorBody) {
    super(error.message);
    this.code = error.code as ErrorCode;
    this.status = error.status;
    this.requestId = error.requestId;
    this.docUrl = error.docUrl;
    this.retryable = error.retryable;
    this.retryAfterSeconds = error.retryAfterSeconds;
    this.operationState = error.operationState;
    this.issues = error.issues ?? [];
    this.check = error.check;
    this.keyId = error.keyId;
    this.limit = error.limit;
    this.sqlState = error.sqlState;
    this.position = error.position;
  }
}

/** 400, 405, 411, 413, 415, 416, 422. */
export class InvalidRequestError extends ApiError {
  override readonly name = "InvalidRequestError";
}
/** 401. */
export class AuthenticationError extends ApiError {
  override readonly name = "AuthenticationError";
}
/** 402. */
export class PaymentError extends ApiError {
  override readonly name = "PaymentError";
}
/** 403. */
export class PermissionError extends ApiError {
  override readonly name = "PermissionError";
}
/** 404. */
export class NotFoundError extends ApiError {
  override readonly name = "NotFoundError";
}
/** 409 and 410. */
export class ConflictError extends ApiError {
  override readonly name = "ConflictError";
}
/** 429. */
export class LimitError extends ApiError {
  override readonly name = "LimitError";
}
/** 5xx. */
export class ServerError extends ApiError {
  override readonly name = "ServerError";
}

/** It is unknown whether the call was executed. */
export class OutcomeUnknownError extends ApiError {
  override readonly name = "OutcomeUnknownError";
  /** Repeats the same call with the same idempotency key: it returns the outcome, and executes at most once. */
  readonly repeat: Repeat;

  constructor(error: ErrorBody, repeat: Repeat) {
    super(error);
    this.repeat = repeat;
  }
}

const CLASSES: Record<number, new (error: ErrorBody) => ApiError> = {
  401: AuthenticationError,
  402: PaymentError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: ConflictError,
  429: LimitError,
};

/** Returns the error of an envelope. */
export function errorOf(error: ErrorBody, repeat: Repeat): ApiError {
  if (error.operationState === "unknown") return new OutcomeUnknownError(error, repeat);
  const Class = CLASSES[error.status] ?? (error.status >= 500 ? ServerError : InvalidRequestError);
  return new Class(error);
}
