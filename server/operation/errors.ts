import { straightened } from "./shown-text.ts";

/**
 * How far a call got, as a guarantee to the caller. `not_started`: nothing happened, the same call may be
 * sent again.
 */
export type OperationState = "not_started" | "in_progress" | "completed" | "unknown";

interface ErrorDefinition {
  status: number;
  /** True if the same call can succeed later without a change. */
  retryable: boolean;
  /** Explanation of the code for the reference. */
  meaning: string;
}

/** Every error code with its status. No other place assigns a status to an error. */
export const ERRORS = {
  invalid_request: {
    status: 400,
    retryable: false,
    meaning: "A header, path, query or body field is wrong; `issues` names every fault, up to 100.",
  },
  invalid_json: { status: 400, retryable: false, meaning: "The body is not valid UTF-8 JSON." },
  idempotency_key_required: {
    status: 400,
    retryable: false,
    meaning: "The operation changes something and needs an Idempotency-Key header.",
  },
  idempotency_key_invalid: {
    status: 400,
    retryable: false,
    meaning: "The Idempotency-Key is not 8 to 200 of the characters A–Z a–z 0–9 : . _ -",
  },
  credential_in_url: {
    status: 400,
    retryable: false,
    meaning: "A secret stands in the URL, where logs keep it. Revoke it, and send it in a header.",
  },
  credential_in_body: {
    status: 400,
    retryable: false,
    meaning: "A secret stands in the body. Revoke it, and send it in a header.",
  },
  unauthenticated: { status: 401, retryable: false, meaning: "No valid API key was sent." },
  api_key_expired: { status: 401, retryable: false, meaning: "The API key has expired." },
  api_key_revoked: { status: 401, retryable: false, meaning: "The API key was revoked." },
  ancestor_expired: { status: 401, retryable: false, meaning: "A key above this one has expired." },
  ancestor_revoked: { status: 401, retryable: false, meaning: "A key above this one was revoked." },
  signature_invalid: {
    status: 401,
    retryable: false,
    meaning: "A delivery to a trigger's address is not signed with its secret, or was signed too long ago.",
  },
  credit_token_invalid: { status: 401, retryable: false, meaning: "The credit token is unknown." },
  payment_required: {
    status: 402,
    retryable: false,
    meaning: "An x402 payment is needed; Payment-Required says which.",
  },
  insufficient_credits: {
    status: 402,
    retryable: false,
    meaning: "The account has fewer credits than the call may cost. Nothing was done.",
  },
  scope_missing: { status: 403, retryable: false, meaning: "The key, or one above it, lacks the scope." },
  service_not_allowed: {
    status: 403,
    retryable: false,
    meaning: "The service is outside the key's service boundary.",
  },
  operation_not_allowed: {
    status: 403,
    retryable: false,
    meaning: "The operation is outside the key's operation boundary.",
  },
  project_not_allowed: {
    status: 403,
    retryable: false,
    meaning: "The key is bound to a project or an end user, and may not do this.",
  },
  end_user_not_allowed: { status: 403, retryable: false, meaning: "The key is bound to another end user." },
  delegation_exceeds_parent: {
    status: 403,
    retryable: false,
    meaning: "The child key would be wider than a key above it; `issues` names each excess.",
  },
  policy_denied: { status: 403, retryable: false, meaning: "A policy denies this." },
  approval_required: {
    status: 403,
    retryable: false,
    meaning: "The action needs an approval with the same input.",
  },
  quota_exceeded: {
    status: 403,
    retryable: false,
    meaning:
      "The account has no room left on disk for it; the message says how much is used, and how to free it.",
  },
  not_found: { status: 404, retryable: false, meaning: "There is no such resource, or not for this caller." },
  method_not_allowed: {
    status: 405,
    retryable: false,
    meaning: "The path has no such method; Allow lists those it has.",
  },
  length_required: { status: 411, retryable: false, meaning: "The upload needs a Content-Length." },
  payload_too_large: {
    status: 413,
    retryable: false,
    meaning: "The body is larger than the limit that the message names.",
  },
  unsupported_media_type: {
    status: 415,
    retryable: false,
    meaning: "The body has another Content-Type than the operation takes.",
  },
  range_not_satisfiable: { status: 416, retryable: false, meaning: "The range lies outside the content." },
  idempotency_key_reused: {
    status: 409,
    retryable: false,
    meaning: "The Idempotency-Key was used with other input.",
  },
  idempotency_in_progress: {
    status: 409,
    retryable: true,
    meaning: "The first call with this Idempotency-Key is still under way.",
  },
  state_conflict: { status: 409, retryable: false, meaning: "The resource's state does not allow this." },
  already_exists: { status: 409, retryable: false, meaning: "A resource with this name exists." },
  settlement_pending: {
    status: 409,
    retryable: true,
    meaning: "The payment is being settled; repeat the call for its outcome.",
  },
  quote_expired: { status: 410, retryable: false, meaning: "The quote has expired." },
  cursor_expired: { status: 410, retryable: false, meaning: "The cursor has expired." },
  callback_over: {
    status: 410,
    retryable: false,
    meaning:
      "The step was called back with something else, its time is over, or its run has ended: nothing more can come.",
  },
  operation_sunset: {
    status: 410,
    retryable: false,
    meaning: "The operation was deprecated and has stopped.",
  },
  checksum_mismatch: {
    status: 422,
    retryable: false,
    meaning: "The bytes received differ from the checksum sent.",
  },
  payment_invalid: {
    status: 422,
    retryable: false,
    meaning: "The payment does not match the requested one.",
  },
  query_limit_exceeded: {
    status: 422,
    retryable: false,
    meaning: "The query exceeded a limit of time or size.",
  },
  limit_exhausted: {
    status: 429,
    retryable: true,
    meaning: "A limit of the key, or of one above it, is exhausted.",
  },
  service_rate_limited: { status: 429, retryable: true, meaning: "The managed service is limiting calls." },
  internal: {
    status: 500,
    retryable: false,
    meaning: "The platform failed. Ask for help with the request id.",
  },
  service_failed: {
    status: 502,
    retryable: false,
    meaning: "The managed service failed or answered wrongly.",
  },
  service_unavailable: {
    status: 503,
    retryable: true,
    meaning: "A component that the operation needs is not available; the message names it.",
  },
  service_timeout: {
    status: 504,
    retryable: false,
    meaning: "The managed service did not answer in time; whether it acted is unknown.",
  },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof ERRORS;

/** Returns true for a code of the table; false for one of a later release, or of a service. */
export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);

export interface Issue {
  /** Location of the faulty field: `body.limits.*.creditsPerDay`, `query.limit`, `header.x-file-name`. */
  path: string;
  message: string;
}

/** The limit that refused a call. */
export interface ExhaustedLimit {
  operation: string;
  kind: "requestsPerMinute" | "maxConcurrent" | "creditsPerDay";
  keyId: string;
  limit: number;
  resetAt: string | null;
}

export interface ErrorDetails {
  issues?: Issue[];
  check?: "scope" | "service" | "operation" | "limit";
  keyId?: string;
  limit?: ExhaustedLimit;
  retryAfterSeconds?: number;
  operationState?: OperationState;
  sqlState?: string;
  position?: number;
  /**
   * The action a person at the console has to take first: prove their identity, or set up a second factor.
   */
  needs?: "proof" | "second_factor";
  /** Response headers that belong to the error, e.g. `Allow`. */
  headers?: Record<string, string>;
  /** Fields of the response beside `error` (`errorFields` of the operation). */
  fields?: Record<string, unknown>;
}

/** A failure that is reported to the caller. The message names the caller's value, then the fix. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(message, options);
    this.name = "ApiError";
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  get operationState(): OperationState {
    if (this.details.operationState) return this.details.operationState;
    if (this.code === "idempotency_in_progress" || this.code === "settlement_pending") return "in_progress";
    return this.status < 500 || this.code === "service_unavailable" ? "not_started" : "unknown";
  }
}

/** Returns the error for one invalid field. */
export function invalid(path: string, message: string): ApiError {
  return new ApiError("invalid_request", `${path}: ${message}`, { issues: [{ path, message }] });
}

/**
 * Returns the error for a resource that does not exist or that the caller may not see; both are identical
 * byte for byte.
 */
export function notFound(kind: string, id: string): ApiError {
  return new ApiError("not_found", `No ${kind} ${id}.`);
}

/**
 * Returns the `error` object of a response. Its texts repeat the caller's values, with the characters that turn the
 * direction of text made visible.
 */
export function errorBody(error: ApiError, requestId: string, baseUrl: string) {
  const { issues, check, keyId, limit, retryAfterSeconds, sqlState, position } = error.details;
  return {
    code: error.code,
    message: straightened(error.message),
    status: error.status,
    requestId,
    docUrl: `${baseUrl}/docs/errors/${error.code}`,
    retryable: ERRORS[error.code].retryable,
    retryAfterSeconds,
    operationState: error.operationState,
    issues: issues?.map(({ path, message }) => ({
      path: straightened(path),
      message: straightened(message),
    })),
    check,
    keyId,
    limit,
    sqlState,
    position,
  };
}
