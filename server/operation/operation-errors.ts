import { keysOf } from "#server/base/keys-of.ts";
import { ERRORS, type ErrorCode } from "./errors.ts";
import { type Operation, scopeOf } from "./operation.ts";

const EVERYWHERE: ErrorCode[] = ["invalid_request", "credential_in_url", "internal", "service_unavailable"];
const AUTHENTICATED: ErrorCode[] = [
  "unauthenticated",
  "api_key_expired",
  "api_key_revoked",
  "ancestor_expired",
  "ancestor_revoked",
  // `X-Service-Project` and `X-Service-End-User` may name a project or an end user outside the key's
  // bindings.
  "project_not_allowed",
  "end_user_not_allowed",
  "not_found",
  "state_conflict",
  "limit_exhausted",
];
const JUDGED: ErrorCode[] = ["scope_missing", "operation_not_allowed"];
const WITH_BODY: ErrorCode[] = [
  "invalid_json",
  "credential_in_body",
  "payload_too_large",
  "unsupported_media_type",
];
const WITH_BYTES: ErrorCode[] = [
  "length_required",
  "payload_too_large",
  "unsupported_media_type",
  "credential_in_body",
  "checksum_mismatch",
];
const IDEMPOTENT: ErrorCode[] = [
  "idempotency_key_required",
  "idempotency_key_invalid",
  "idempotency_key_reused",
  "idempotency_in_progress",
];

/**
 * Returns every error code that the operation can respond with: its own, and those of the pipeline's steps it
 * passes.
 */
export function errorsOf(operation: Operation): ErrorCode[] {
  const codes = new Set<ErrorCode>([
    ...EVERYWHERE,
    ...(operation.scope === null ? [] : AUTHENTICATED),
    ...(scopeOf(operation) === null ? [] : JUDGED),
    ...(operation.service === undefined ? [] : (["service_not_allowed"] as const)),
    ...(operation.creditToken ? (["credit_token_invalid"] as const) : []),
    ...(operation.raw ? WITH_BYTES : operation.method === "GET" ? [] : WITH_BODY),
    ...(operation.bytes ? (["range_not_satisfiable"] as const) : []),
    ...(operation.idempotent ? IDEMPOTENT : []),
    ...(operation.metered ? (["insufficient_credits"] as const) : []),
    ...(operation.deprecation ? (["operation_sunset"] as const) : []),
    ...(operation.errors ?? []),
  ]);
  return keysOf(ERRORS).filter((code) => codes.has(code));
}
